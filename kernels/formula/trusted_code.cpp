// Identifies approved code by its checksum.
#include "kernels/formula/trusted_code.h"

#include "kernels/core/error.h"

#include <span>

namespace scanloupe {

Sha256Digest digestOf(const std::string& source) {
    Sha256 sum;
    sum.add(std::span<const char>(source));
    return sum.digest();
}

void TrustedCode::add(const std::string& source) {
    add(digestOf(source));
}

void TrustedCode::add(const Sha256Digest& digest) {
    const std::scoped_lock lock(m_mutex);
    m_digests.insert(digest);
}

bool TrustedCode::has(const std::string& source) const {
    const Sha256Digest digest = digestOf(source);
    const std::scoped_lock lock(m_mutex);
    return m_digests.contains(digest);
}

TrustedCudaFile TrustedCode::trusted(const CudaFile& file) const {
    if (!has(file.source))
        throw KernelError(
            "its code was not approved",
            "Check the code, then run it with --trust-cuda, or show the layer in the window and "
            "choose Run.");
    return TrustedCudaFile(file);
}

} // namespace scanloupe
