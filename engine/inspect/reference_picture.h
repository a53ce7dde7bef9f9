#pragma once
// Declares the picture of a reference alone, for picking places of it.
#include "engine/inspect/reference.h"
#include "engine/results/snapshot.h"

#include <stop_token>

namespace scanloupe {

/// The reference in one colour, drawn on the host.
/// @param camera in the scan's frame @throws KernelError; Cancelled.
Picture referencePicture(const Reference& reference, const Camera& camera, int width, int height,
                         const std::stop_token& stop);

/// A place that such a picture shows, as exact as the reference has it: a point itself, else the place that
/// was hit. @param hit scan's frame
Vec3d referencePlace(const Reference& reference, PrimitiveKind kind, std::uint32_t index, Vec3d hit);

} // namespace scanloupe
