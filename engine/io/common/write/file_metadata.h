#pragma once
// Declares the copying of a replaced file's metadata.
#include <filesystem>
#include <sys/stat.h>

namespace scanloupe::detail {

/// Copies the metadata of `replaced` to the open file `descriptor`, which will replace it: owner, group,
/// permissions, access control list and user extended attributes, each as far as the system permits. Where
/// the group can't be kept, the new group gets the permissions of others, as careful editors do it.
void copyMetadata(int descriptor, const std::filesystem::path& replaced, const struct ::stat& info);

} // namespace scanloupe::detail
