#pragma once
// Declares which CUDA code may run: code that the user has approved.
#include "kernels/core/sha256.h"
#include "kernels/formula/cuda_file.h"

#include <mutex>
#include <set>
#include <string>

namespace scanloupe {

/// A file whose code may run; only TrustedCode can create objects.
class TrustedCudaFile {
public:
    const CudaFile& operator*() const { return m_file; }
    const CudaFile* operator->() const { return &m_file; }

private:
    friend class TrustedCode;
    explicit TrustedCudaFile(const CudaFile& file) : m_file(file) {}
    const CudaFile& m_file;
};

/// Set of approved code, identified by the SHA-256 of its text. Thread-safe.
class TrustedCode {
public:
    void add(const std::string& source);
    void add(const Sha256Digest& digest);
    bool has(const std::string& source) const;
    /// Returns the file as trusted. @param file must outlive the result @throws KernelError if its code is
    /// not approved
    TrustedCudaFile trusted(const CudaFile& file) const;

private:
    mutable std::mutex m_mutex;
    std::set<Sha256Digest> m_digests;
};

Sha256Digest digestOf(const std::string& source);

} // namespace scanloupe
