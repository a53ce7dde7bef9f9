#pragma once
// Declares the messages that a window shows about its jobs.
#include "gui/controllers/window_context.h"

namespace scanloupe::gui {

class EditController;
class JobStatus;

/// Passes the reports of jobs to the message bar, the log and the status display from now on.
void reportJobs(const WindowContext& window, EditController& edit, JobStatus& status);

} // namespace scanloupe::gui
