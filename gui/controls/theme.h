#pragma once
// Declares the light and the dark theme.
#include <QObject>
#include <QPalette>

class QWidget;

namespace scanloupe::gui {

enum class ThemeChoice { system, light, dark };

QPalette lightPalette();
QPalette darkPalette();
/// True when the luminance of text exceeds that of its background; Qt before 6.5 does not report the colour
/// scheme.
bool isDark(const QPalette& palette);
/// Shows a control's value in grey, since the user did not set it.
void showGreyed(QWidget* widget, bool greyed);

/// The application's style and colours: those of the system, until the user overrides them.
class Theme : public QObject {
    Q_OBJECT
public:
    /// Applies the Fusion style, and remembers the system's palette.
    explicit Theme(QObject* parent = nullptr);

    void choose(ThemeChoice choice);
    ThemeChoice choice() const { return m_choice; }
    bool dark() const;

signals:
    void changed(bool dark);

private:
    QPalette m_system;
    ThemeChoice m_choice = ThemeChoice::system;
};

} // namespace scanloupe::gui
