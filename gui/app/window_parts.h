#pragma once
// Declares the names of what the main window is put together of.

class QAction;
class QDockWidget;
class QLabel;
class QMenu;
class QStackedWidget;

namespace scanloupe::gui {

struct Hit;
class AlignPanel;
class CompareBar;
class CompareSession;
class DataPanel;
class DeviceBox;
class DifferenceDialog;
class EditPanel;
class ForecastSession;
class FrameLimitsRunner;
struct ForecastAnswer;
class JobStatus;
class ChangeSession;
class InspectSession;
class LogPanel;
class ManualWindow;
class MeasuresPanel;
class MessageBar;
class ParameterPanel;
class PlayerBar;
class SweepDialog;
class Theme;
class TimingsPanel;
class TourBar;
class ViewArea;
class WelcomePane;

} // namespace scanloupe::gui
