#pragma once
#include <filesystem>
#include <sys/stat.h>

namespace scanloupe::detail {

/// Makes the open file `descriptor` look like `replaced`, whose place it will take: owner, group, rights,
/// access control list and user's extended attributes, each as far as the system lets us. Where the group
/// can't be kept, the new one may do what others may, as careful editors do it.
void takeAfter(int descriptor, const std::filesystem::path& replaced, const struct ::stat& info);

} // namespace scanloupe::detail
