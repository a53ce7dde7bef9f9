// Searches and runs the window's commands.
#include "gui/app/command_palette.h"

#include <QAction>
#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

namespace scanloupe::gui {

namespace {

constexpr QSize kLargest{780, 440};
constexpr int kMargin = 24; // margin to the window's borders, pixels

std::vector<Command> commandsOf(const std::vector<MenuCommand>& all) {
    std::vector<Command> commands;
    for (const MenuCommand& one : all)
        commands.push_back(one.command);
    return commands;
}

} // namespace

CommandPalette::CommandPalette(std::vector<MenuCommand> commands, QWidget* window)
    : QFrame(window), m_commands(std::move(commands)),
      m_model(new CommandModel(commandsOf(m_commands), this)), m_field(new QLineEdit(this)),
      m_list(new QTreeView(this)), m_nothing(new QLabel(this)), m_focusBefore(QApplication::focusWidget()) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Window);
    setAccessibleName(tr("Commands"));
    m_field->setPlaceholderText(tr("Search all commands"));
    m_field->setAccessibleName(tr("Search all commands"));
    m_field->setClearButtonEnabled(true);
    m_field->installEventFilter(this);
    m_list->setModel(m_model);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setHeaderHidden(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus); // the search field keeps the keyboard focus
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(CommandModel::name, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(CommandModel::path, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(CommandModel::keys, QHeaderView::ResizeToContents);
    m_nothing->setText(tr("No matching command. Try fewer letters."));
    m_nothing->setMargin(8);
    m_nothing->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_field);
    column->addWidget(m_nothing);
    column->addWidget(m_list, 1);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(m_list, &QTreeView::clicked, this, [this](const QModelIndex& index) { run(index.row()); });
    window->installEventFilter(this); // follows the window's size
}

void CommandPalette::open() {
    const QSize room = parentWidget()->size() - QSize(2 * kMargin, 2 * kMargin);
    resize(kLargest.boundedTo(room));
    move((parentWidget()->width() - width()) / 2, kMargin);
    search({});
    show();
    raise();
    m_field->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::search(const QString& query) {
    m_model->setQuery(query);
    const bool found = m_model->rowCount() > 0;
    m_nothing->setVisible(!found);
    m_list->setVisible(found);
    m_list->setCurrentIndex({});
    step(1);
    m_list->scrollToTop();
}

void CommandPalette::step(int rows) {
    const int count = m_model->rowCount(), way = rows > 0 ? 1 : -1;
    const auto canBeChosen = [this](int row) {
        return bool(m_model->flags(m_model->index(row, 0)) & Qt::ItemIsEnabled);
    };
    const int from = m_list->currentIndex().isValid() ? m_list->currentIndex().row() : way > 0 ? -1 : count;
    int row = std::clamp(from + rows, 0, std::max(0, count - 1));
    while (row >= 0 && row < count && !canBeChosen(row))
        row += way;
    if (row >= 0 && row < count)
        m_list->setCurrentIndex(m_model->index(row, 0));
}

void CommandPalette::run(int row) {
    if (row < 0 || !(m_model->flags(m_model->index(row, 0)) & Qt::ItemIsEnabled))
        return;
    const QPointer<QAction> action = m_commands[m_model->commandOf(row)].action;
    close(); // close before the command opens a dialog
    if (action && action->isEnabled())
        QMetaObject::invokeMethod(action, &QAction::trigger, Qt::QueuedConnection);
}

void CommandPalette::close() {
    if (isHidden())
        return;
    hide();
    if (m_focusBefore)
        m_focusBefore->setFocus(Qt::PopupFocusReason);
    deleteLater();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize || event->type() == QEvent::WindowDeactivate)
            close();
        return false;
    }
    if (event->type() == QEvent::FocusOut &&
        // not for the context menu of the field
        static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason)
        close();
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        event->accept(); // the same Esc must not end a presentation as well
    if (event->type() != QEvent::KeyPress)
        return false;
    const int page = std::max(1, m_list->viewport()->height() / std::max(1, m_list->sizeHintForRow(0)) - 1);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        step(1);
        return true;
    case Qt::Key_Up:
        step(-1);
        return true;
    case Qt::Key_PageDown:
        step(page);
        return true;
    case Qt::Key_PageUp:
        step(-page);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run(m_list->currentIndex().row());
        return true;
    case Qt::Key_Escape:
        close();
        return true;
    default:
        return false;
    }
}

} // namespace scanloupe::gui
