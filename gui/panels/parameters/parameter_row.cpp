// Shows one parameter with its label and its reset button.
#include "gui/panels/parameters/parameter_row.h"

#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "gui/controls/icons.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

namespace scanloupe::gui {

QString parameterText(const std::string& text) {
    return QCoreApplication::translate("parameters", text.c_str());
}

ParameterRow::ParameterRow(const Parameter& parameter, bool labelled, QWidget* parent)
    : QWidget(parent), m_parameter(parameter), m_grid(new QGridLayout(this)), m_reset(new QToolButton(this)) {
    setObjectName(QString::fromStdString(parameter.key));
    setToolTip(QStringLiteral("<p>%1</p><p>%2</p>")
                   .arg(parameterText(parameter.help).toHtmlEscaped(),
                        tr("F1 opens the manual at this parameter.")));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(6);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(1, 1);
    const QString label = parameterText(parameter.label);
    if (labelled) {
        m_label = new QLabel(label, this);
        m_grid->addWidget(m_label, 0, 0);
    }
    m_reset->setAutoRaise(true);
    m_reset->setIconSize({14, 14});
    m_reset->setFixedSize(22, 22);
    m_reset->setFocusPolicy(Qt::TabFocus);
    if (parameter.fromData) {
        m_reset->setIcon(toolIcon(QStringLiteral("auto")));
        m_reset->setCheckable(true);
        m_reset->setToolTip(tr("Automatic: choose it from the data"));
        m_reset->setAccessibleName(tr("%1: automatic").arg(label));
    } else {
        m_reset->setIcon(toolIcon(QStringLiteral("reset")));
        m_reset->setToolTip(tr("Reset to default"));
        m_reset->setAccessibleName(tr("%1: reset to default").arg(label));
        QSizePolicy policy = m_reset->sizePolicy();
        policy.setRetainSizeWhenHidden(true);
        m_reset->setSizePolicy(policy);
    }
    m_grid->addWidget(m_reset, 0, 3);
    connect(m_reset, &QToolButton::clicked, this, &ParameterRow::resetClicked);
}

void ParameterRow::setControl(QWidget* control) {
    m_grid->addWidget(control, 0, m_label ? 1 : 0, 1, m_label ? 1 : 2);
    if (m_label)
        m_label->setBuddy(control);
}

int ParameterRow::labelWidth() const {
    return m_label ? m_label->sizeHint().width() : 0;
}

void ParameterRow::setLabelWidth(int pixels) {
    if (m_label)
        m_label->setFixedWidth(pixels);
}

void ParameterRow::showRecipe(const Recipe& requested, const Recipe& resolved) {
    m_requested = requested;
    if (m_parameter.kind == ParameterKind::text) {
        showReset(false, m_parameter.getText(requested) != m_parameter.getText(Recipe{}));
        return;
    }
    const auto wanted = m_parameter.get(requested);
    const auto values = wanted ? wanted : m_parameter.get(resolved);
    m_shown = values.value_or(Values{});
    showReset(!wanted, wanted && wanted != m_parameter.get(Recipe{}));
    if (values)
        showValues(*values, !wanted);
    else
        showNone();
}

void ParameterRow::edit(const std::optional<Values>& values) {
    Recipe recipe = m_requested;
    m_parameter.set(recipe, values);
    emit edited(recipe);
}

void ParameterRow::editText(const std::string& text) {
    Recipe recipe = m_requested;
    m_parameter.setText(recipe, text);
    emit edited(recipe);
}

void ParameterRow::resetClicked() {
    if (m_parameter.kind == ParameterKind::text)
        editText(m_parameter.getText(Recipe{}));
    else if (m_parameter.fromData && !m_reset->isChecked() && !m_shown.empty())
        edit(m_shown); // keeps the automatic value, now as a requested one
    else
        edit(std::nullopt);
}

void ParameterRow::showReset(bool automatic, bool differs) {
    if (m_parameter.fromData)
        m_reset->setChecked(automatic);
    else
        m_reset->setVisible(differs);
}

} // namespace scanloupe::gui
