#pragma once
// Declares the locks of projects and autosaves, by which windows keep off each other's files.
#include <QLockFile>
#include <QString>
#include <memory>

namespace scanloupe::gui {

/// A lock that another process can only break when this one has ended.
std::shared_ptr<QLockFile> makeLock(const QString& file);

/// Takes a lock. False when another window has it, or where something else than a lock is in its place; a
/// folder that can't be written to is no reason.
bool canTake(QLockFile& lock);

struct TakenLock {
    std::shared_ptr<QLockFile> lock; ///< null where it is another window's, or the folder is read-only
    bool isFree = false;             ///< no other window has it
};
TakenLock takeLock(const QString& path);

} // namespace scanloupe::gui
