// Shows how two runs differ.
#include "gui/panels/compare_bar.h"

#include "gui/controls/icons.h"
#include "gui/models/comparison.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>

namespace scanloupe::gui {

CompareBar::CompareBar(QWidget* parent)
    : QFrame(parent), m_scroll(new QScrollArea(this)), m_figures(new QLabel(this)),
      m_verdict(new QLabel(this)), m_changes(new QLabel(this)), m_swap(new QPushButton(tr("S&wap"), this)),
      m_take(new QPushButton(tr("&Restore A"), this)) {
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Comparison of A and B"));
    QToolButton* end = iconButton(QStringLiteral("close"), tr("End the comparison"), this);
    m_figures->setObjectName(QStringLiteral("compareFigures"));
    m_verdict->setObjectName(QStringLiteral("compareVerdict"));
    m_changes->setObjectName(QStringLiteral("compareChanges"));
    m_figures->setTextFormat(Qt::RichText);
    m_swap->setToolTip(tr("Swap A and B: edit the parameters of A, and keep B as the new A."));
    m_take->setToolTip(tr("Restore the parameters of A as one undo step."));
    // texts must not change the height of the bar, since the views and their pictures would follow
    for (QLabel* text : {m_verdict, m_changes})
        text->setTextFormat(Qt::PlainText);
    m_changes->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_changes->setMinimumSize(160, 2 * fontMetrics().lineSpacing());
    QFont bold = font();
    bold.setBold(true);
    m_verdict->setFont(bold);
    m_changes->setWordWrap(true);
    m_changes->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_swap);
    buttons->addWidget(m_take);
    buttons->addStretch();
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_changes, 1);
    words->addLayout(buttons);
    auto* below = new QHBoxLayout;
    below->setSpacing(24);
    below->addWidget(m_figures, 0, Qt::AlignTop);
    below->addLayout(words, 1);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_verdict);
    column->addLayout(below);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setWidget(content);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(m_scroll, 1);
    row->addWidget(end, 0, Qt::AlignTop);
    connect(m_swap, &QPushButton::clicked, this, &CompareBar::swapRequested);
    connect(m_take, &QPushButton::clicked, this, &CompareBar::takeRequested);
    connect(end, &QToolButton::clicked, this, &CompareBar::endRequested);
    hide();
}

void CompareBar::setComparison(const Comparison& comparison, bool ofBackends) {
    m_figures->setText(figuresTable(comparison));
    m_figures->setToolTip(tr(
        "Time until mesh: voxels, field and surface, including stages whose earlier results were reused."));
    m_verdict->setText(verdictText(comparison));
    if (ofBackends)
        m_changes->setText(tr("The same parameters on two backends: both follow your changes."));
    else if (comparison.changes.isEmpty())
        m_changes->setText(tr("A and B have the same parameters. Change one to change B."));
    else
        m_changes->setText(comparison.changes.join(QStringLiteral(" · ")));
    m_changes->setToolTip(m_changes->text());
    m_swap->setVisible(!ofBackends);
    m_take->setVisible(!ofBackends);
    QWidget* content = m_scroll->widget();
    content->layout()->activate(); // hidden buttons take no space
    m_scroll->setFixedHeight(content->sizeHint().expandedTo(content->minimumSizeHint()).height() +
                             m_scroll->horizontalScrollBar()->sizeHint().height());
}

} // namespace scanloupe::gui
