// Breaks a row of controls into lines.
#include "gui/controls/flow_layout.h"

#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace scanloupe::gui {

FlowLayout::FlowLayout(QWidget* parent, int spacing) : QLayout(parent) {
    setContentsMargins(0, 0, 0, 0);
    setSpacing(spacing);
}

void FlowLayout::addItem(QLayoutItem* item) {
    m_items.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[std::size_t(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem* item = m_items[std::size_t(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

int FlowLayout::lines(const QRect& rect, bool placed) const {
    const QMargins margins = contentsMargins();
    const QRect area = rect.marginsRemoved(margins);
    const Qt::LayoutDirection direction =
        parentWidget() ? parentWidget()->layoutDirection() : Qt::LeftToRight;
    int x = area.x(), y = area.y(), lineHeight = 0;
    const auto place = [&](std::size_t begin, std::size_t end) { // a line's items, centred in its height
        int left = area.x();
        for (std::size_t i = begin; i < end; ++i) {
            if (m_items[i]->isEmpty())
                continue;
            const QSize size = m_items[i]->sizeHint();
            const QRect cell(QPoint(left, y + (lineHeight - size.height()) / 2), size);
            m_items[i]->setGeometry(QStyle::visualRect(direction, area, cell));
            left += size.width() + spacing();
        }
    };
    std::size_t begin = 0;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (m_items[i]->isEmpty())
            continue;
        const QSize size = m_items[i]->sizeHint();
        if (x > area.x() && x + size.width() > area.right() + 1) {
            if (placed)
                place(begin, i);
            y += lineHeight + spacing();
            x = area.x();
            lineHeight = 0;
            begin = i;
        }
        x += size.width() + spacing();
        lineHeight = std::max(lineHeight, size.height());
    }
    if (placed)
        place(begin, m_items.size());
    return y + lineHeight - rect.y() + margins.bottom();
}

int FlowLayout::heightForWidth(int width) const {
    return lines(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::sizeHint() const {
    QSize line(0, 0);
    for (const auto& item : m_items)
        if (!item->isEmpty())
            line = QSize(line.width() + item->sizeHint().width() + (line.width() ? spacing() : 0),
                         std::max(line.height(), item->sizeHint().height()));
    return line.grownBy(contentsMargins());
}

QSize FlowLayout::minimumSize() const {
    QSize widest(0, 0);
    for (const auto& item : m_items)
        if (!item->isEmpty())
            widest = widest.expandedTo(item->minimumSize());
    return widest.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    lines(rect, true);
}

} // namespace scanloupe::gui
