#pragma once
// Declares the setting that keeps the device which computes from one start to the next.
#include "engine/compute/backend.h"

namespace scanloupe::gui {

/// Keeps a device that was chosen from the list; nothing where it is the one that would be taken anyway.
void rememberDevice(const ComputeDevice& device);

/// A wish for the device that was chosen last; for none where it can't be used any more.
BackendWish rememberedDevice();

} // namespace scanloupe::gui
