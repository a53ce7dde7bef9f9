#pragma once
// Declares the copying of a replaced file's metadata.
#include <filesystem>
#include <sys/stat.h>

namespace scanloupe::detail {

/// Copies the metadata of `replaced` to the open file `descriptor` that will replace it, as far as the system
/// permits: owner, group, permissions, access control list and user extended attributes. If the group can't
/// be kept, the new group only gets the permissions of others.
void copyMetadata(int descriptor, const std::filesystem::path& replaced, const struct ::stat& info);

} // namespace scanloupe::detail
