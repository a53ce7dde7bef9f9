// Shows texts that are too long for their cells in tool tips.
#include "gui/controls/cut_text_tips.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QTableView>
#include <QTextDocument>
#include <QToolTip>
#include <QTreeView>

namespace scanloupe::gui {

namespace {

/// The text followed by the model's tip, escaped so that neither is interpreted as HTML.
QString joined(const QString& text, const QString& tip) {
    if (tip.isEmpty())
        return text;
    return Qt::mightBeRichText(tip) ? QStringLiteral("<p>%1</p>%2").arg(text.toHtmlEscaped(), tip)
                                    : text + QLatin1Char('\n') + tip;
}

class CutTextTips : public QObject {
public:
    explicit CutTextTips(QAbstractItemView* view) : QObject(view), m_view(view), m_header(headerOf(view)) {
        view->viewport()->installEventFilter(this);
        if (m_header)
            m_header->viewport()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ToolTip)
            return QObject::eventFilter(watched, event);
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip =
            watched == m_view->viewport() ? tipOfCell(help->pos()) : tipOfSection(help->pos());
        if (tip.isEmpty())
            return QObject::eventFilter(watched, event);
        QToolTip::showText(help->globalPos(), tip, static_cast<QWidget*>(watched));
        return true;
    }

private:
    static QHeaderView* headerOf(QAbstractItemView* view) {
        if (auto* table = qobject_cast<QTableView*>(view))
            return table->horizontalHeader();
        auto* tree = qobject_cast<QTreeView*>(view);
        return tree ? tree->header() : nullptr;
    }
    /// Empty unless the cell is too narrow for its text.
    QString tipOfCell(QPoint at) const {
        const QModelIndex index = m_view->indexAt(at);
        const QString text = index.data(Qt::DisplayRole).toString();
        if (text.isEmpty() || m_view->sizeHintForIndex(index).width() <= m_view->visualRect(index).width())
            return {};
        return joined(text, index.data(Qt::ToolTipRole).toString());
    }
    QString tipOfSection(QPoint at) const {
        const int section = m_header->logicalIndexAt(at);
        if (section < 0 || m_header->sectionSizeHint(section) <= m_header->sectionSize(section))
            return {};
        const auto* model = m_header->model();
        return joined(model->headerData(section, m_header->orientation()).toString(),
                      model->headerData(section, m_header->orientation(), Qt::ToolTipRole).toString());
    }

    QAbstractItemView* m_view;
    QHeaderView* m_header; ///< null: a view without header
};

} // namespace

void showCutTexts(QAbstractItemView* view) {
    new CutTextTips(view);
}

} // namespace scanloupe::gui
