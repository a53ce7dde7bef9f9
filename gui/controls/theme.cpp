// Defines the light and the dark palette, and applies a theme.
#include "gui/controls/theme.h"

#include <QApplication>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QWidget>

namespace scanloupe::gui {

namespace {

struct Colours {
    QColor window, base, alternate, button, text, weakText, highlight, tip, link;
};

/// Fusion with brighter outlines of check boxes and radio buttons, which are otherwise invisible in the dark
/// theme.
class ThemeStyle : public QProxyStyle {
public:
    ThemeStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        const bool isRound = element == PE_IndicatorRadioButton;
        if ((!isRound && element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck) ||
            !isDark(option->palette))
            return;
        const QRectF outline = QRectF(option->rect).adjusted(1, 1, -1, -1);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(option->palette.color(QPalette::Disabled, QPalette::WindowText));
        isRound ? painter->drawEllipse(outline) : painter->drawRoundedRect(outline, 1.5, 1.5);
        painter->restore();
    }
};

QPalette paletteOf(const Colours& c) {
    QPalette p(c.text, c.button, c.button.lighter(130), c.button.darker(160), c.button.darker(125), c.text,
               Qt::white, c.base, c.window);
    p.setColor(QPalette::AlternateBase, c.alternate);
    p.setColor(QPalette::Midlight, c.button.lighter(115));
    p.setColor(QPalette::Shadow, c.button.darker(200));
    p.setColor(QPalette::Highlight, c.highlight);
    p.setColor(QPalette::HighlightedText, Qt::white);
    p.setColor(QPalette::ToolTipBase, c.tip);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::PlaceholderText, c.weakText);
    p.setColor(QPalette::Link, c.link);
    p.setColor(QPalette::LinkVisited, c.link);
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, c.weakText);
    p.setColor(QPalette::Disabled, QPalette::Highlight, c.button.darker(120));
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, c.weakText);
    return p;
}

} // namespace

QPalette lightPalette() {
    return paletteOf({{0xf3, 0xf4, 0xf6},
                      {0xff, 0xff, 0xff},
                      {0xf5, 0xf7, 0xfa},
                      {0xf0, 0xf1, 0xf3},
                      {0x1c, 0x20, 0x26},
                      {0x85, 0x8b, 0x94},
                      {0x1f, 0x6f, 0xc4},
                      {0xff, 0xff, 0xf0},
                      {0x1a, 0x62, 0xb0}});
}

QPalette darkPalette() {
    return paletteOf({{0x2a, 0x2d, 0x32},
                      {0x1f, 0x22, 0x26},
                      {0x25, 0x28, 0x2d},
                      {0x36, 0x3a, 0x41},
                      {0xe4, 0xe7, 0xeb},
                      {0x82, 0x88, 0x92},
                      {0x34, 0x84, 0xd6},
                      {0x3a, 0x3f, 0x47},
                      {0x6c, 0xb2, 0xf5}});
}

bool isDark(const QPalette& palette) {
    const auto luminance = [](const QColor& c) {
        return 0.2126 * c.redF() + 0.7152 * c.greenF() + 0.0722 * c.blueF();
    };
    return luminance(palette.color(QPalette::WindowText)) > luminance(palette.color(QPalette::Window));
}

void showGreyed(QWidget* widget, bool greyed) {
    if (!greyed) {
        widget->setPalette(QPalette());
        return;
    }
    const QPalette application = QGuiApplication::palette();
    const QColor weak = application.color(QPalette::Disabled, QPalette::Text);
    QPalette palette;
    for (const auto role : {QPalette::Text, QPalette::ButtonText, QPalette::Highlight})
        palette.setColor(QPalette::Active, role, weak), palette.setColor(QPalette::Inactive, role, weak);
    widget->setPalette(palette);
}

Theme::Theme(QObject* parent) : QObject(parent), m_system(QGuiApplication::palette()) {
    QApplication::setStyle(new ThemeStyle);
    choose(ThemeChoice::system);
}

void Theme::choose(ThemeChoice choice) {
    m_choice = choice;
    const bool wantsDark = choice == ThemeChoice::dark || (choice == ThemeChoice::system && isDark(m_system));
    QApplication::setPalette(wantsDark ? darkPalette() : lightPalette());
    emit changed(wantsDark);
}

bool Theme::dark() const {
    return isDark(QGuiApplication::palette());
}

} // namespace scanloupe::gui
