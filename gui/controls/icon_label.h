#pragma once
// Shows an icon in the colours of the current theme.
#include <QIcon>
#include <QPainter>
#include <QWidget>

namespace scanloupe::gui {

/// An icon in the colours of the current theme; a QLabel's pixmap would keep the colours of the theme in
/// which it was rendered.
class IconLabel : public QWidget {
public:
    IconLabel(const QIcon& icon, int pixels, QWidget* parent) : QWidget(parent), m_icon(icon) {
        setFixedSize(pixels, pixels);
    }
    void setIcon(const QIcon& icon) {
        m_icon = icon;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        m_icon.paint(&painter, rect());
    }

private:
    QIcon m_icon;
};

} // namespace scanloupe::gui
