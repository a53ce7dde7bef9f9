// Shows a collapsible section of a panel.
#include "gui/controls/panel_section.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace scanloupe::gui {

PanelSection::PanelSection(const QString& title, QWidget* parent)
    : QWidget(parent), m_header(new QToolButton(this)), m_content(new QWidget(this)),
      m_lines(new QVBoxLayout(m_content)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_header);
    column->addWidget(m_content);
    m_lines->setContentsMargins(8, 3, 4, 7);
    m_lines->setSpacing(4);

    QFont bold = font();
    bold.setBold(true);
    m_header->setFont(bold);
    m_header->setText(title);
    m_header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_header->setAutoRaise(true);
    m_header->setIconSize({8, 8});
    m_header->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_header->setFocusPolicy(Qt::StrongFocus);
    connect(m_header, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
    setOpen(true);
}

void PanelSection::add(QWidget* widget) {
    m_lines->addWidget(widget);
}

void PanelSection::addColumns(const std::vector<QWidget*>& left, const std::vector<QWidget*>& right) {
    auto* columns = new QHBoxLayout;
    columns->setSpacing(8);
    for (const std::vector<QWidget*>& widgets : {left, right}) {
        auto* column = new QVBoxLayout;
        column->setSpacing(4);
        for (QWidget* widget : widgets)
            column->addWidget(widget);
        columns->addLayout(column, 1);
    }
    m_lines->addLayout(columns);
}

void PanelSection::setOpen(bool open) {
    m_open = open;
    m_content->setVisible(open);
    m_header->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_header->setAccessibleDescription(open ? tr("expanded") : tr("collapsed"));
}

} // namespace scanloupe::gui
