#pragma once
// Declares the device that computes from one start to the next.
#include "engine/compute/backend.h"

#include <QString>

namespace scanloupe::gui {

/// Keeps a device that was chosen; nothing where it is the one that would be taken anyway.
/// @param id as BackendWish::device
void rememberDevice(const QString& id);

/// A wish for the device that was chosen last; for none where it can't be used any more.
BackendWish rememberedDevice();

} // namespace scanloupe::gui
