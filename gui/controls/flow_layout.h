#pragma once
// Lays controls out from left to right, and wraps to a new line at the right border.

#include <QLayout>
#include <memory>
#include <vector>

namespace scanloupe::gui {

/// A row of controls that breaks like a line of text (from right to left where the language does), so that a
/// narrow dock shows all of them. Each control has its preferred size; hidden ones take no space.
class FlowLayout : public QLayout {
    Q_OBJECT

public:
    explicit FlowLayout(QWidget* parent, int spacing = 2);

    void addItem(QLayoutItem* item) override;
    int count() const override { return int(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;

    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// Puts the items into lines of `rect`'s width and, if `placed`, moves them there. Returns the height.
    int lines(const QRect& rect, bool placed) const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

} // namespace scanloupe::gui
