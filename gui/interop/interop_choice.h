#pragma once
// Declares how device results reach OpenGL: by CUDA/OpenGL interoperability or through host memory.
#include <QString>
#include <optional>

namespace scanloupe::gui {

/// Chooses for all views of a window whether CUDA writes device results into OpenGL, or everything is copied.
/// GUI thread only.
class InteropChoice {
public:
    /// Enabled, unless the environment says SCANLOUPE_INTEROP=off.
    InteropChoice();

    bool isEnabled() const { return m_enabled; }
    void setEnabled(bool enabled) { m_enabled = enabled; }

    /// Why device results must go through host memory, in sentences; empty if they need not. The first call
    /// runs probeInterop(), and its answer is kept; with software OpenGL nothing is probed. @note Call it
    /// before a frame, not within one.
    QString problem();

private:
    bool m_enabled;
    std::optional<QString> m_probed; ///< the result of the probe
};

} // namespace scanloupe::gui
