// Shows the start page of the empty window.
#include "gui/panels/welcome_pane.h"

#include "gui/base/raw_text.h"
#include "gui/controls/column_scroll.h"
#include "gui/controls/icons.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {
constexpr int kWide = 440;   // maximum width, pixels
constexpr int kMargins = 60; // around a recent name and its button, pixels
} // namespace

WelcomePane::WelcomePane(QWidget* parent) : QWidget(parent), m_recent(new QWidget(this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* box = new QWidget(this);
    box->setMaximumWidth(kWide);
    auto* column = new QVBoxLayout(box);
    column->setSpacing(8);
    auto* head = new QHBoxLayout;
    auto* logo = new QLabel(box);
    logo->setPixmap(applicationIcon().pixmap(64, 64));
    logo->setFixedSize(64, 64);
    auto* title = new QLabel(tr("Look into a 3D scan"), box);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.7);
    title->setFont(large);
    title->setWordWrap(true);
    head->addWidget(logo);
    head->addSpacing(8);
    head->addWidget(title, 1);
    column->addLayout(head);
    auto* text = new QLabel(tr("Drop a file or a folder here, open one, or try the sample scan. Voxels, mesh "
                               "and picture update as you move the sliders on the right."),
                            box);
    text->setWordWrap(true);
    column->addWidget(text);

    const auto add = [&](const char* icon, const QString& label, const QString& tip,
                         void (WelcomePane::*signal)()) {
        auto* button = new QPushButton(toolIcon(QString::fromLatin1(icon)), label, box);
        button->setIconSize({20, 20});
        button->setMinimumHeight(36);
        button->setToolTip(tip);
        connect(button, &QPushButton::clicked, this, signal);
        return button;
    };
    m_buttons = new QBoxLayout(QBoxLayout::LeftToRight);
    auto* open =
        add("open", tr("Open a scan…"), tr("Point clouds and raw volumes"), &WelcomePane::openRequested);
    open->setObjectName(QStringLiteral("open"));
    open->setDefault(true);
    auto* sample =
        add("sample", tr("Load a sample scan"), tr("A simulated drive through a street, 1 million points"),
            &WelcomePane::sampleRequested);
    sample->setObjectName(QStringLiteral("sample"));
    m_buttons->addWidget(open);
    m_buttons->addWidget(sample);
    column->addLayout(m_buttons);

    m_restore = new QWidget(box);
    auto* restore = new QVBoxLayout(m_restore);
    restore->setContentsMargins(0, 8, 0, 0);
    m_restoreButton = new QPushButton(m_restore);
    m_restoreButton->setObjectName(QStringLiteral("restore"));
    m_restoreButton->setMinimumHeight(36);
    connect(m_restoreButton, &QPushButton::clicked, this, &WelcomePane::restoreRequested);
    m_restoreWhy = new QLabel(m_restore);
    m_restoreWhy->setWordWrap(true);
    m_restoreWhy->setEnabled(false);
    auto* discard = new QPushButton(tr("Discard…"), m_restore);
    discard->setObjectName(QStringLiteral("discard"));
    discard->setMinimumHeight(36);
    connect(discard, &QPushButton::clicked, this, &WelcomePane::discardRequested);
    restore->addWidget(m_restoreButton);
    restore->addWidget(discard);
    restore->addWidget(m_restoreWhy);
    column->addWidget(m_restore);
    m_restore->hide();

    m_recentLines = new QVBoxLayout(m_recent);
    m_recentLines->setContentsMargins(0, 8, 0, 0);
    m_recentLines->setSpacing(2);
    // names are shortened to the width of the button
    m_recent->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    column->addWidget(m_recent);
    auto* scroll = new ColumnScroll(this); // for a low window
    auto* middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(box, kWide);
    middle->addStretch(1);
    auto* outer = new QVBoxLayout(scroll->widget());
    outer->addStretch(2);
    outer->addLayout(middle);
    outer->addStretch(3);
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->addWidget(scroll);
    scroll->widget()->setBackgroundRole(QPalette::Base);
    setRecentFiles({});
}

void WelcomePane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_buttons->setDirection(width() < kWide ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    if (event->size().width() != event->oldSize().width())
        elideNames(); // changes only the texts: one of the buttons may be emitting this event
}

void WelcomePane::elideNames() {
    for (int i = 0; i < m_recentButtons.size(); ++i) {
        const QFileInfo file(shownText(m_paths[i]));
        QPushButton* button = m_recentButtons[i];
        button->setText(button->fontMetrics().elidedText(
            QStringLiteral("%1   %2").arg(file.fileName(), file.absolutePath()), Qt::ElideMiddle,
            std::min(width(), kWide) - kMargins));
    }
}

void WelcomePane::offerRestore(const QString& what, const QString& why) {
    m_restoreButton->setText(what);
    m_restoreWhy->setText(why);
    m_restore->setVisible(!what.isEmpty());
}

void WelcomePane::setRecentFiles(const QStringList& paths) {
    m_paths = paths;
    m_recentButtons.clear();
    while (QLayoutItem* item = m_recentLines->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_recent->setVisible(!paths.isEmpty());
    if (paths.isEmpty())
        return;
    auto* heading = new QLabel(tr("Recent"), m_recent);
    heading->setEnabled(false);
    m_recentLines->addWidget(heading);
    for (const QString& path : paths.mid(0, 8)) {
        const QString shown = shownText(path);
        auto* button = new QPushButton(m_recent);
        button->setFlat(true);
        button->setCursor(Qt::PointingHandCursor);
        button->setToolTip(shown);
        button->setAccessibleName(tr("Open %1").arg(shown));
        connect(button, &QPushButton::clicked, this, [this, path] { emit recentChosen(path); });
        m_recentLines->addWidget(button, 0, Qt::AlignLeft);
        m_recentButtons << button;
    }
    elideNames();
}

} // namespace scanloupe::gui
