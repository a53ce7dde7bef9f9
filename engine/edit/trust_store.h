#pragma once
// Declares where the program remembers which CUDA code the user has approved.
#include "engine/edit/edits.h"
#include "kernels/formula/trusted_code.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace scanloupe {

/// The user's list of approved code: SHA-256 of each text, a line each. Window and command line share it.
class TrustStore {
public:
    /// Reads the list. @param file empty: nothing is stored
    explicit TrustStore(std::filesystem::path file = usualFile());

    /// $XDG_CONFIG_HOME/scanloupe/trusted-cuda-code, or ~/.config/…; empty without a home folder
    static std::filesystem::path usualFile();

    /// The approved code; remember() adds to it.
    std::shared_ptr<const TrustedCode> code() const { return m_code; }
    bool has(const std::string& source) const { return m_code->has(source); }
    /// Approves code until the program ends. @returns whether it was also stored for later runs
    bool remember(const std::string& source);
    /// Approves code until the program ends.
    void add(const std::string& source) { m_code->add(source); }

private:
    std::filesystem::path m_file;
    std::shared_ptr<TrustedCode> m_code;
};

/// The files of layers that are not hidden and whose code was not approved, each text once.
std::vector<CudaFile> untrustedFiles(const EditLayers& layers, const TrustedCode& code);
/// Hides the layers whose code was not approved.
EditLayers withoutUntrusted(EditLayers layers, const TrustedCode& code);
/// The file, which must outlive the result. @param code null: none was approved
/// @throws EngineError when its code was not approved
TrustedCudaFile requireTrusted(const TrustedCode* code, const CudaFile& file);

} // namespace scanloupe
