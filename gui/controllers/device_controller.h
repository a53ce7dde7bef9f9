#pragma once
// Declares the compute device: found in the background, or chosen by the user.
#include "engine/compute/backend.h"
#include "gui/controllers/window_context.h"

#include <functional>
#include <optional>

namespace scanloupe::gui {

class ComparisonController;
class DeviceBox;
class RunController;

/// Stores a device that was chosen from the list for the next start; nothing if it is the default anyway.
void rememberDevice(const ComputeDevice& device);
/// A request for the device that was chosen last. It resolves to `automatic` without one, or if that device
/// is unusable.
BackendRequest rememberedDevice();

/// Makes the jobs of a window compute on another device, once that has passed its self-test.
class DeviceController : public Controller {
    Q_OBJECT
public:
    DeviceController(const WindowContext& window, RunController& run, ComparisonController& comparison,
                     DeviceBox& box);

    /// Looks for the backend of a request in the background.
    void seek(const BackendRequest& wanted);
    bool isSeeking() const { return m_sought.has_value(); } ///< the CPU computes until then
    /// Calls `action` immediately, or as soon as the requested backend has passed its self-test.
    void whenReady(std::function<void()> action);
    void findInterop(); ///< whether CUDA, if it computes, can write buffers of OpenGL

signals:
    /// The requested backend is unusable, and nothing was opened meanwhile.
    void refused(const QString& sentence, const QString& nextStep);

private:
    void use(const BackendChoice& choice);
    void choose(const QString& id); ///< as BackendRequest::device

    RunController& m_run;
    ComparisonController& m_comparison;
    DeviceBox& m_box;
    std::optional<BackendRequest> m_sought; ///< reset if the user chooses a device meanwhile
    std::function<void()> m_whenReady;
};

} // namespace scanloupe::gui
