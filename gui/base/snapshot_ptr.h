#pragma once
// Declares the shared handle by which results travel between threads, jobs, views and panels.
#include <QMetaType>
#include <memory>

namespace scanloupe {
struct Snapshot;
}

namespace scanloupe::gui {

using SnapshotPtr = std::shared_ptr<const Snapshot>;

} // namespace scanloupe::gui

Q_DECLARE_METATYPE(scanloupe::gui::SnapshotPtr)
