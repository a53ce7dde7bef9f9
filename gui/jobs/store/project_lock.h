#pragma once
// Declares the locks of projects and autosaves, which keep windows from writing each other's files.
#include <QLockFile>
#include <QString>
#include <memory>

namespace scanloupe::gui {

/// A lock that another process can only break when this one has ended.
std::shared_ptr<QLockFile> makeLock(const QString& file);

/// Takes a lock. False if another window has it, or if its path is not a lock file; a read-only folder does
/// not matter.
bool canTake(QLockFile& lock);

struct TakenLock {
    std::shared_ptr<QLockFile> lock; ///< null if another window has it, or the folder is read-only
    bool isFree = false;             ///< no other window has it
};
TakenLock takeLock(const QString& path);

} // namespace scanloupe::gui
