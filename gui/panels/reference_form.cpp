// Shows and edits the unit and the coordinate system of a scan.
#include "gui/panels/reference_form.h"

#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"
#include "gui/controls/icons.h"
#include "gui/controls/theme.h"
#include "gui/controls/wheel_safe_combo_box.h"
#include "gui/controls/wrapped_label.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace scanloupe::gui {

namespace {

constexpr qsizetype kMaxTextLength = 1500; // limit for a coordinate system in a tool tip

QString sourceText(UnitSource source, bool isSystemChosen) {
    switch (source) {
    case UnitSource::person:
        return ReferenceForm::tr("set by hand");
    case UnitSource::file:
        return isSystemChosen ? ReferenceForm::tr("from the coordinate system")
                              : ReferenceForm::tr("from the file");
    case UnitSource::guessed:
        return ReferenceForm::tr("guessed from the coordinates");
    case UnitSource::assumed:
        break;
    }
    return ReferenceForm::tr("assumed: the file has no unit");
}

} // namespace

ReferenceForm::ReferenceForm(QWidget* parent)
    : QWidget(parent), m_unit(new WheelSafeComboBox(this)), m_source(new WrappedLabel({}, this)),
      m_system(new QLineEdit(this)),
      m_unitOfFile(addAutomatic(tr("Use the file's value"), tr("Unit: use the file's value"))),
      m_systemOfFile(
          addAutomatic(tr("Use the file's value"), tr("Coordinate system: use the file's value"))) {
    setObjectName(QStringLiteral("reference"));
    for (const LengthUnitRow& row : lengthUnits())
        m_unit->addItem(unitName(row.unit));
    m_unit->setAccessibleName(tr("Unit of the coordinates"));
    m_unit->setToolTip(tr("Unit of the coordinate values. Coordinates are not converted: lengths are shown "
                          "in this unit, and drawings use it for their scale."));
    m_source->setEnabled(false);
    m_system->setAccessibleName(tr("Coordinate system"));
    m_system->setPlaceholderText(tr("none"));
    auto* unitLabel = new QLabel(tr("Unit"), this);
    unitLabel->setBuddy(m_unit);
    auto* systemLabel = new QLabel(tr("System"), this);
    systemLabel->setBuddy(m_system);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(3);
    grid->addWidget(unitLabel, 0, 0);
    grid->addWidget(m_unit, 0, 1);
    grid->addWidget(m_unitOfFile, 0, 2);
    grid->addWidget(m_source, 1, 1, 1, 2);
    grid->addWidget(systemLabel, 2, 0);
    grid->addWidget(m_system, 2, 1);
    grid->addWidget(m_systemOfFile, 2, 2);
    grid->setColumnStretch(1, 1);
    setTabOrder(m_unit, m_unitOfFile);
    setTabOrder(m_unitOfFile, m_system);
    setTabOrder(m_system, m_systemOfFile);
    connect(m_unit, &QComboBox::activated, this, [this](int index) {
        ChosenReference chosen = m_chosen;
        chosen.unit = LengthUnit(index);
        emit edited(chosen);
    });
    connect(m_unitOfFile, &QToolButton::clicked, this, [this](bool automatic) {
        ChosenReference chosen = m_chosen;
        chosen.unit = automatic ? std::nullopt : std::optional(m_reference.unit);
        emit edited(chosen);
    });
    connect(m_systemOfFile, &QToolButton::clicked, this, [this](bool automatic) {
        ChosenReference chosen = m_chosen;
        chosen.system = automatic ? std::nullopt : std::optional(m_reference.systemText);
        emit edited(chosen);
    });
    connect(m_system, &QLineEdit::editingFinished, this, &ReferenceForm::takeSystem);
    setReference({}, {});
}

QToolButton* ReferenceForm::addAutomatic(const QString& tip, const QString& name) {
    auto* button = new QToolButton(this);
    button->setIcon(toolIcon(QStringLiteral("auto")));
    button->setIconSize({14, 14});
    button->setFixedSize(22, 22);
    button->setAutoRaise(true);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolTip(tip);
    button->setAccessibleName(name);
    return button;
}

void ReferenceForm::setReference(const CoordinateReference& reference, const ChosenReference& chosen) {
    const bool isTyped = m_system->hasFocus() && m_system->isModified() && reference == m_reference;
    m_reference = reference;
    m_chosen = chosen;
    m_unit->setCurrentIndex(int(reference.unit));
    showGreyed(m_unit, !chosen.unit);
    m_unitOfFile->setChecked(!chosen.unit);
    m_source->setText(sourceText(reference.source, chosen.system.has_value()));
    m_systemOfFile->setChecked(!chosen.system);
    showGreyed(m_system, !chosen.system);
    if (isTyped)
        return; // results may arrive while the user types
    m_system->setText(shownText(reference.system));
    m_system->setCursorPosition(0);
    QString text = shownText(reference.systemText);
    const QString axes = shownText(axesDescription(reference));
    if (text.size() > kMaxTextLength)
        text = text.left(kMaxTextLength) + QChar(0x2026);
    if (!axes.isEmpty())
        text.prepend(tr("Axes, in the order of the definition: %1").arg(axes) + QLatin1Char('\n'));
    m_system->setToolTip(QStringLiteral("<p>%1</p><p>%2</p>")
                             .arg(tr("A name, EPSG:25832, or well-known text. It is stored in the project; "
                                     "coordinates are not converted.")
                                      .toHtmlEscaped(),
                                  text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"))));
}

QString ReferenceForm::source() const {
    return m_source->text();
}

void ReferenceForm::takeSystem() {
    if (!m_system->isModified())
        return;
    m_system->setModified(false);
    ChosenReference chosen = m_chosen;
    chosen.system = m_system->text().trimmed().toStdString();
    emit edited(chosen);
}

} // namespace scanloupe::gui
