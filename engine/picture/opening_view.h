#pragma once
// Declares the camera that a window opens a scan with.
#include "engine/picture/view.h"

namespace scanloupe {

struct Camera;
struct Recipe;

/// Returns the camera of cameraFor(), rotated about the up axis if that shows an elongated subject larger:
/// the view is then across its long horizontal axis. Unchanged if the recipe or the scan defines its own
/// view.
Camera openingCamera(const Recipe& recipe, const ViewSubject& subject);

} // namespace scanloupe
