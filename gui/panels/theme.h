#pragma once
// Dark and light.
#include <QObject>
#include <QPalette>

class QWidget;

namespace scanloupe::gui {

enum class ThemeChoice { system, light, dark };

QPalette lightPalette();
QPalette darkPalette();
/// Told by luminance, since Qt before 6.5 doesn't say: text lighter than what it stands on.
bool isDark(const QPalette& palette);
/// Shows a control's value as one that nobody set.
void showGreyed(QWidget* widget, bool greyed);

/// The application's style and colours: as the system has them, until someone overrides that.
class Theme : public QObject {
    Q_OBJECT
public:
    /// Takes the Fusion style, and remembers the system's palette.
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
