// Shows selections and layers of edits.
#include "gui/panels/edit_panel.h"

#include "gui/base/length_text.h"
#include "gui/controls/column_scroll.h"
#include "gui/controls/flow_layout.h"
#include "gui/models/layer_model.h"
#include "gui/sliders/number_box.h"
#include "gui/text/number_text.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {

QWidget* buttonRow(QVBoxLayout* column) {
    auto* row = new QWidget;
    new FlowLayout(row);
    column->addWidget(row);
    return row;
}

QToolButton* addButton(QWidget* row) {
    auto* button = new QToolButton(row);
    button->setFocusPolicy(Qt::TabFocus);
    row->layout()->addWidget(button);
    return button;
}

void addButton(QWidget* row, QAction* action) {
    QToolButton* button = addButton(row);
    button->setDefaultAction(action);
    button->setAutoRaise(action->isCheckable());
    button->setToolButtonStyle(action->icon().isNull() ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly);
}

} // namespace

EditPanel::EditPanel(QWidget* parent)
    : QWidget(parent), m_visibleOnly(new QCheckBox(tr("Visible only"))), m_radius(new NumberBox),
      m_strength(new NumberBox), m_falloff(new NumberBox), m_hint(new QLabel), m_chosen(new QLabel),
      m_layers(new LayerModel(this)), m_list(new QListView) {
    auto* whole = new QHBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new ColumnScroll(this);
    whole->addWidget(scroll);
    auto* row = new QHBoxLayout(scroll->widget());
    row->setContentsMargins(8, 4, 4, 4);
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    row->addLayout(column, 4);
    m_tools = buttonRow(column);
    m_visibleOnly->setToolTip(tr("Outlines select only points that are not hidden by others"));
    auto* label = new QLabel(tr("Radius"));
    label->setBuddy(m_radius);
    m_radius->setRange(1e-6, 1e6);
    m_radius->setAccessibleName(tr("Radius of the brush"));
    m_radius->setToolTip(tr("Radius of brush and eraser; [ and ] change it"));
    m_hint->setWordWrap(true);
    m_chosen->setWordWrap(true);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_visibleOnly, label, m_radius})
        m_tools->layout()->addWidget(widget);
    m_sculpting = buttonRow(column);
    const auto addShare = [&](NumberBox* box, const QString& text, const QString& name, const QString& tip) {
        auto* of = new QLabel(text);
        of->setBuddy(box);
        box->setRange(0, 100);
        box->setSuffix(tr(" %"));
        box->showValue(50);
        box->setAccessibleName(name);
        box->setToolTip(tip);
        m_sculpting->layout()->addWidget(of);
        m_sculpting->layout()->addWidget(box);
    };
    addShare(m_strength, tr("Strength"), tr("Strength of the brush"),
             tr("Effect of one pass of Smooth, Flatten, Raise or Smear"));
    addShare(m_falloff, tr("Fall-off"), tr("Fall-off of the brush"),
             tr("Share of the radius over which the strength fades to zero"));
    column->addWidget(m_hint);
    column->addWidget(m_chosen);
    m_selecting = buttonRow(column);
    m_doing = buttonRow(column);
    column->addStretch(1);

    auto* layers = new QVBoxLayout;
    layers->setSpacing(2);
    row->addLayout(layers, 3);
    layers->addWidget(new QLabel(tr("Layers, the newest on top")));
    m_list->setModel(m_layers);
    m_list->setAccessibleName(tr("Layers of edits"));
    m_list->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
    layers->addWidget(m_list, 1);
    QWidget* buttons = buttonRow(layers);
    const auto add = [&](const QString& text, const QKeySequence& keys, void (EditPanel::*slot)()) {
        auto* action = new QAction(text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, slot);
        m_list->addAction(action);
        addButton(buttons, action);
        return action;
    };
    m_raise = add(tr("Up"), QKeySequence(Qt::CTRL | Qt::Key_Up), &EditPanel::raiseLayer);
    m_lower = add(tr("Down"), QKeySequence(Qt::CTRL | Qt::Key_Down), &EditPanel::lowerLayer);
    m_remove = add(tr("Remove"), QKeySequence::Delete, &EditPanel::removeLayer);

    connect(m_visibleOnly, &QCheckBox::toggled, this, &EditPanel::visibleOnlyChanged);
    connect(m_radius, &NumberBox::valueChanged, this, &EditPanel::radiusEdited);
    connect(m_layers, &LayerModel::hidden, this, &EditPanel::layerHidden);
    connect(m_layers, &LayerModel::renamed, this, &EditPanel::layerRenamed);
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &EditPanel::enableActions);
    connect(m_layers, &LayerModel::modelReset, this, &EditPanel::enableActions);
    setHint({});
    setChosen(std::nullopt, 0);
    enableActions();
}

void EditPanel::setSelecting(const QList<QAction*>& tools, const QList<QAction*>& selecting,
                             const QList<QAction*>& doing, QMenu* kept) {
    for (QAction* action : tools)
        addButton(m_tools, action);
    for (QAction* action : selecting)
        addButton(m_selecting, action);
    QToolButton* button = addButton(m_selecting);
    button->setText(tr("Stored"));
    button->setToolTip(tr("Selections stored under a name"));
    button->setMenu(kept);
    button->setPopupMode(QToolButton::InstantPopup);
    for (QAction* action : doing)
        addButton(m_doing, action);
}

void EditPanel::setSculpting(const QList<QAction*>& tools) {
    for (QAction* action : tools)
        addButton(m_sculpting, action);
}

double EditPanel::strength() const {
    return m_strength->value() / 100;
}

double EditPanel::falloff() const {
    return m_falloff->value() / 100;
}

void EditPanel::setEdits(const Edits& edits) {
    m_layers->setLayers(edits.layers);
    enableActions();
}

void EditPanel::setChosen(std::optional<std::uint64_t> count, std::uint64_t points) {
    m_chosen->setText(count ? tr("%1 of %2 points selected").arg(countText(*count), countText(points))
                            : tr("Nothing is selected"));
    m_chosen->setEnabled(count.has_value());
}

QString EditPanel::chosenText() const {
    return m_chosen->text();
}

void EditPanel::setHint(const QString& hint) {
    m_hint->setText(hint.isEmpty()
                        ? tr("Choose a tool, then use it in a view. The scan's file is never changed.")
                        : hint);
    m_hint->setEnabled(!hint.isEmpty());
}

void EditPanel::setRadius(double radius) {
    m_radius->showValue(radius);
}

void EditPanel::setUnit(LengthUnit unit) {
    const QString symbol = unitSymbol(unit);
    m_radius->setSuffix(symbol.isEmpty() ? QString() : QLatin1Char(' ') + symbol);
}

bool EditPanel::isVisibleOnly() const {
    return m_visibleOnly->isChecked();
}

void EditPanel::addLayerAction(QAction* action, std::function<bool(const EditLayer&)> isFor) {
    m_list->addAction(action);
    m_ofLayer.emplace_back(action, std::move(isFor));
    enableActions();
}

std::optional<std::size_t> EditPanel::currentLayer() const {
    const QModelIndexList rows = m_list->selectionModel()->selectedIndexes();
    return rows.isEmpty() ? std::nullopt : std::optional(m_layers->layerOf(rows.front().row()));
}

void EditPanel::enableActions() {
    const auto layer = currentLayer();
    m_remove->setEnabled(layer.has_value());
    m_lower->setEnabled(layer && *layer > 0);
    m_raise->setEnabled(layer && *layer + 1 < std::size_t(m_layers->rowCount()));
    for (const auto& [action, isFor] : m_ofLayer)
        action->setEnabled(layer && isFor(m_layers->layer(*layer)));
}

void EditPanel::removeLayer() {
    if (const auto layer = currentLayer())
        emit layerRemoved(*layer);
}

void EditPanel::raiseLayer() {
    const auto layer = currentLayer();
    if (!layer)
        return;
    emit layerMoved(*layer, *layer + 1);
    m_list->setCurrentIndex(m_layers->index(m_layers->rowCount() - 2 - int(*layer), 0));
}

void EditPanel::lowerLayer() {
    const auto layer = currentLayer();
    if (!layer)
        return;
    emit layerMoved(*layer, *layer - 1);
    m_list->setCurrentIndex(m_layers->index(m_layers->rowCount() - int(*layer), 0));
}

} // namespace scanloupe::gui
