#pragma once
// Declares the controller of the compute device, which is found in the background or chosen by the user.
#include "engine/compute/backend.h"
#include "gui/controllers/window_context.h"

#include <functional>
#include <optional>

namespace scanloupe::gui {

class ComparisonController;
class DeviceBox;
class RunController;

/// Stores the chosen device for the next start; stores nothing if it is the default.
void rememberDevice(const ComputeDevice& device);
/// A request for the device that was chosen last. It resolves to `automatic` without one, or if that device
/// is unusable.
BackendRequest rememberedDevice();

/// Switches the jobs of a window to another device after its self-test has passed.
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
    void findInterop(); ///< finds out whether CUDA, if it is the backend, can write OpenGL buffers

signals:
    /// The requested backend is unusable, and nothing was opened meanwhile.
    void refused(const QString& sentence, const QString& nextStep);

private:
    void use(const BackendChoice& choice);
    void choose(const QString& id); ///< @param id as BackendRequest::device

    RunController& m_run;
    ComparisonController& m_comparison;
    DeviceBox& m_box;
    std::optional<BackendRequest> m_sought; ///< reset if the user chooses a device meanwhile
    std::function<void()> m_whenReady;
};

} // namespace scanloupe::gui
