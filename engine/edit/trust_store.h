#pragma once
// Declares the list that stores which CUDA code the user has approved.
#include "engine/edit/edits.h"
#include "kernels/formula/trusted_code.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace scanloupe {

/// The user's list of approved code, stored as the SHA-256 of each source, one per line. The window and the
/// command line share it.
class TrustStore {
public:
    /// Reads the list. @param file path of the list; empty: nothing is stored
    explicit TrustStore(std::filesystem::path file = usualFile());

    /// Returns $XDG_CONFIG_HOME/scanloupe/trusted-cuda-code, or ~/.config/scanloupe/trusted-cuda-code; empty
    /// without a home folder.
    static std::filesystem::path usualFile();

    /// Returns the approved code, to which remember() and add() add.
    std::shared_ptr<const TrustedCode> code() const { return m_code; }
    bool has(const std::string& source) const { return m_code->has(source); }
    /// Approves code permanently. @returns false if it could not be stored and is approved only until the
    /// program ends
    bool remember(const std::string& source);
    /// Approves code until the program ends.
    void add(const std::string& source) { m_code->add(source); }

private:
    std::filesystem::path m_file;
    std::shared_ptr<TrustedCode> m_code;
};

/// Returns the CUDA files of visible layers whose code was not approved, each source once.
std::vector<CudaFile> untrustedFiles(const EditLayers& layers, const TrustedCode& code);
/// Returns the layers, with those hidden whose code was not approved.
EditLayers withoutUntrusted(EditLayers layers, const TrustedCode& code);
/// Returns the file as trusted. @param code approved code; null: none
/// @param file must outlive the result
/// @throws EngineError if its code was not approved
TrustedCudaFile requireTrusted(const TrustedCode* code, const CudaFile& file);

} // namespace scanloupe
