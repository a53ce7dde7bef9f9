// Copies owner, permissions and extended attributes of a file that is being replaced.
#include "engine/io/common/write/file_metadata.h"

#include <string>
#include <sys/xattr.h>
#include <unistd.h>
#include <vector>

namespace scanloupe::detail {

namespace {

/// Name of the extended attribute in which Linux stores an access control list.
constexpr const char* kPosixAcl = "system.posix_acl_access";

/// Copies the extended attributes. Errors are ignored, since they are no reason to lose the data being
/// written.
void copyAttributes(int descriptor, const std::filesystem::path& from, bool withAcl) {
    constexpr std::size_t most = std::size_t{1} << 16; // limit of Linux for the list of names and for each
                                                       // value
    std::vector<char> names(most), value(most);
    const ::ssize_t size = ::listxattr(from.c_str(), names.data(), names.size());
    for (::ssize_t at = 0; at < size;) {
        const std::string name(names.data() + at);
        at += static_cast<::ssize_t>(name.size()) + 1;
        if (!name.starts_with("user.") && !(withAcl && name == kPosixAcl))
            continue;
        const ::ssize_t bytes = ::getxattr(from.c_str(), name.c_str(), value.data(), value.size());
        if (bytes >= 0)
            static_cast<void>(::fsetxattr(descriptor, name.c_str(), value.data(), std::size_t(bytes), 0));
    }
}

} // namespace

void copyMetadata(int descriptor, const std::filesystem::path& replaced, const struct ::stat& info) {
    constexpr ::uid_t unchanged = static_cast<::uid_t>(-1);
    const bool keepsOwner = ::fchown(descriptor, info.st_uid, info.st_gid) == 0;
    const bool keepsGroup = keepsOwner || ::fchown(descriptor, unchanged, info.st_gid) == 0;
    ::mode_t mode = info.st_mode & 07777;
    if (!keepsOwner)
        mode &= ~::mode_t{S_ISUID};
    if (!keepsGroup)
        mode = (mode & ~::mode_t{S_ISGID | S_IRWXG}) | (mode & S_IRWXO) << 3;
    // A new file inherits the folder's default access control list, which the replaced file may not have.
    static_cast<void>(::fremovexattr(descriptor, kPosixAcl));
    static_cast<void>(::fchmod(descriptor, mode));
    copyAttributes(descriptor, replaced, keepsGroup);
}

} // namespace scanloupe::detail
