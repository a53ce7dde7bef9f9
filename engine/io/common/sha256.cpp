// Computes checksums with libmd.
#include "engine/report/file_hash.h"

#include <array>
#include <sha2.h>
#include <sys/types.h> // for the header that follows
#include <system_error>

namespace scanloupe {

std::string sha256Of(const std::filesystem::path& path) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown))
        return {};
    std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
    return SHA256File(path.c_str(), digits.data()) ? std::string(digits.data()) : std::string();
}

} // namespace scanloupe
