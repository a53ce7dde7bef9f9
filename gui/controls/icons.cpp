// Renders icons of tools from SVG in the colour of text.
#include "gui/controls/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>
#include <QToolButton>

// outside of every namespace, as the macro requires; without it the linker would drop the resources of a
// static library
static void loadIconResources() {
    Q_INIT_RESOURCE(resources);
}

namespace scanloupe::gui {

namespace {

class TextColourEngine : public QIconEngine {
public:
    explicit TextColourEngine(QByteArray svg) : m_svg(std::move(svg)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const QColor colour = QGuiApplication::palette().color(
            mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active, QPalette::ButtonText);
        QSvgRenderer renderer(QByteArray(m_svg).replace("currentColor", colour.name().toLatin1()));
        renderer.render(painter, QRectF(rect));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new TextColourEngine(*this); }

private:
    QByteArray m_svg;
};

} // namespace

QIcon toolIcon(const QString& name) {
    loadIconResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("there is no icon %s", qPrintable(name)); // an unknown name is a programming error
    return QIcon(new TextColourEngine(file.readAll()));
}

QToolButton* iconButton(const QString& icon, const QString& tip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(toolIcon(icon));
    button->setIconSize({16, 16});
    button->setAutoRaise(true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

QIcon applicationIcon() {
    loadIconResources();
    QIcon icon;
    QSvgRenderer renderer(QStringLiteral(":/icons/scanloupe.svg"));
    for (const int size : {16, 24, 32, 48, 64, 128, 256}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace scanloupe::gui
