// Lists all keys.
#include "gui/app/keys_dialog.h"

#include "gui/controls/cut_text_tips.h"
#include "gui/controls/fit_to_screen.h"
#include "gui/views/view_navigation.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace scanloupe::gui {

KeysDialog::KeysDialog(const std::vector<MenuCommand>& commands, QWidget* parent)
    : QDialog(parent), m_tree(new QTreeWidget(this)) {
    setWindowTitle(tr("Keyboard Shortcuts"));
    setAttribute(Qt::WA_DeleteOnClose);
    resizeOnScreen(this, {760, 640});
    m_tree->setColumnCount(2);
    m_tree->setHeaderLabels({tr("Action"), tr("Keys or Mouse")});
    m_tree->setRootIsDecorated(false);
    m_tree->setItemsExpandable(false);
    m_tree->setSelectionMode(QAbstractItemView::NoSelection);
    m_tree->header()->setStretchLastSection(true);
    m_tree->setAccessibleName(tr("Keyboard Shortcuts"));
    const auto group = [this](const QString& title) {
        auto* item = new QTreeWidgetItem(m_tree, {title});
        item->setFirstColumnSpanned(true);
        QFont bold = m_tree->font();
        bold.setBold(true);
        item->setFont(0, bold);
        return item;
    };
    QTreeWidgetItem* views = group(tr("In a view"));
    for (const auto& [gesture, effect] : navigationGestures())
        new QTreeWidgetItem(views, {effect, gesture});
    for (const MenuCommand& one : commands) {
        if (one.command.keys.isEmpty())
            continue;
        // the path may have a group already: a submenu can be listed between entries of its menu
        const auto menus = m_tree->findItems(one.command.path, Qt::MatchExactly);
        new QTreeWidgetItem(menus.isEmpty() ? group(one.command.path) : menus.first(),
                            {one.command.name, one.command.keys});
    }
    m_tree->expandAll();
    showCutTexts(m_tree);
    m_tree->resizeColumnToContents(0);
    auto* words = new QLineEdit(this);
    words->setPlaceholderText(tr("Search keyboard shortcuts"));
    words->setAccessibleName(tr("Search keyboard shortcuts"));
    words->setClearButtonEnabled(true);
    connect(words, &QLineEdit::textChanged, this, &KeysDialog::filter);
    auto* column = new QVBoxLayout(this);
    column->addWidget(words);
    column->addWidget(m_tree, 1);
}

void KeysDialog::filter(const QString& words) {
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = m_tree->topLevelItem(i);
        bool any = false;
        for (int k = 0; k < group->childCount(); ++k) {
            QTreeWidgetItem* row = group->child(k);
            // the filter also searches the shortcuts
            const bool fits = matchCost({row->text(0), row->text(1), {}}, words) >= 0;
            row->setHidden(!fits);
            any = any || fits;
        }
        group->setHidden(!any);
    }
}

} // namespace scanloupe::gui
