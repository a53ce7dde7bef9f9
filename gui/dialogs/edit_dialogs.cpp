// Builds the dialogs of edits.
#include "gui/dialogs/edit_dialogs.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edits.h"
#include "engine/picture/colouring.h"
#include "engine/stages/points/point_formula.h"
#include "gui/base/class_label.h"
#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"
#include "gui/sliders/number_box.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace scanloupe::gui {

namespace {

constexpr int kAsprsClasses = 23;   // classes with names: LAS 1.4 R15, table 17
constexpr double kFarthest = 1e300; // limit of numbers in boxes

QDialogButtonBox* addButtons(QDialog* dialog, QFormLayout* form, const QString& accept) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(accept);
    QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    form->addRow(buttons);
    return buttons;
}

NumberBox* numberBox(const QString& name, double value, const QString& unit) {
    auto* box = new NumberBox;
    box->setAccessibleName(name);
    box->setRange(-kFarthest, kFarthest);
    if (!unit.isEmpty())
        box->setSuffix(QLatin1Char(' ') + unit);
    box->showValue(value);
    return box;
}

/// How to combine the new selection with the current one; in the order of SetOperation.
QComboBox* operationChoice() {
    auto* choice = new QComboBox;
    choice->addItems({SelectByDialog::tr("Replace the selection"), SelectByDialog::tr("Add to the selection"),
                      SelectByDialog::tr("Intersect with the selection"),
                      SelectByDialog::tr("Subtract from the selection")});
    return choice;
}

/// The number that a text begins with.
std::optional<std::int64_t> classOf(const QString& text) {
    static const QRegularExpression number(QStringLiteral(R"(^\s*(-?\d{1,18})(?=\s|$))"));
    const auto match = number.match(text);
    return match.hasMatch() ? std::optional(std::int64_t(match.captured(1).toLongLong())) : std::nullopt;
}

} // namespace

QStringList knownClasses(const PointCloud& cloud, const std::string& attribute) {
    QStringList texts;
    const Attribute* of = cloud.attribute(attribute);
    if (of && of->classNames) {
        for (std::size_t k = 0; k < of->classNames->size(); ++k)
            texts << QStringLiteral("%1 %2").arg(k).arg(shownText((*of->classNames)[k]));
        return texts;
    }
    Category classes;
    classes.name = attribute;
    const bool isNamed = attribute == kClassAttribute;
    std::int64_t least = 0, most = isNamed ? kAsprsClasses - 1 : 15;
    if (of && of->isLoaded()) { // only if a list can show all classes
        least = std::int64_t(of->min());
        most = std::min(std::int64_t(of->max()), least + 255);
        if (isNamed)
            least = std::min<std::int64_t>(least, 0), most = std::max<std::int64_t>(most, kAsprsClasses - 1);
    }
    for (std::int64_t value = least; value <= most; ++value)
        classes.values.push_back(value);
    for (std::uint32_t code = 0; code < classes.values.size(); ++code)
        texts << classLabel(classText(classes, code));
    return texts;
}

SetClassDialog::SetClassDialog(const PointCloud& cloud, QWidget* parent)
    : QDialog(parent), m_choice(new QComboBox) {
    setWindowTitle(tr("Set Class"));
    m_choice->setEditable(true);
    m_choice->addItems(knownClasses(cloud, kClassAttribute));
    m_choice->setCurrentIndex(std::min(m_choice->count() - 1, 6));
    m_choice->setAccessibleName(tr("Class"));
    auto* form = new QFormLayout(this);
    form->addRow(tr("Class of the selected points"), m_choice);
    auto* buttons = addButtons(this, form, tr("Set"));
    connect(m_choice, &QComboBox::currentTextChanged, this,
            [this, buttons] { buttons->button(QDialogButtonBox::Ok)->setEnabled(isValid()); });
}

bool SetClassDialog::isValid() const {
    return classOf(m_choice->currentText()).has_value();
}

std::int64_t SetClassDialog::value() const {
    return classOf(m_choice->currentText()).value_or(0);
}

QString SetClassDialog::text() const {
    return m_choice->currentText().trimmed();
}

SelectByDialog::SelectByDialog(std::shared_ptr<const PointCloud> cloud, Vec3d up, ValueRange heights,
                               LengthUnit unit, QWidget* parent)
    : QDialog(parent), m_cloud(std::move(cloud)), m_up(up), m_heights(heights), m_unit(unit),
      m_quantity(new QComboBox), m_operation(operationChoice()), m_classes(new QListWidget),
      m_others(new QLineEdit), m_range(new QWidget), m_low(numberBox(tr("Lowest value"), 0, {})),
      m_high(numberBox(tr("Highest value"), 0, {})) {
    setWindowTitle(tr("Select By"));
    auto* form = new QFormLayout(this);
    m_quantity->addItem(tr("Height"), QString());
    for (const Attribute& attribute : m_cloud->attributes())
        m_quantity->addItem(shownText(attribute.name), rawText(attribute.name));
    form->addRow(tr("Select by"), m_quantity);
    m_classes->setAccessibleName(tr("Classes"));
    form->addRow(m_classes);
    m_others->setPlaceholderText(tr("Other classes, e.g. 64, 65"));
    m_others->setAccessibleName(tr("Other classes"));
    form->addRow(m_others);
    auto* range = new QHBoxLayout(m_range);
    range->setContentsMargins(0, 0, 0, 0);
    range->addWidget(new QLabel(tr("from")));
    range->addWidget(m_low, 1);
    range->addWidget(new QLabel(tr("to")));
    range->addWidget(m_high, 1);
    form->addRow(m_range);
    form->addRow(tr("Result"), m_operation);
    auto* accept = addButtons(this, form, tr("Select"))->button(QDialogButtonBox::Ok);
    QLabel* problems = addNumberProblems(form, accept);
    const auto checkOthers = [this, accept, problems] {
        QString problem;
        if (isOfClasses())
            for (const QString& part : otherClasses())
                if (!classOf(part))
                    problem = tr("'%1' is not a class. Classes are whole numbers.").arg(part);
        problems->setText(problem);
        if (!problem.isEmpty())
            problems->show();
        accept->setEnabled(problem.isEmpty());
    };
    connect(m_others, &QLineEdit::textChanged, this, checkOthers);
    connect(m_quantity, &QComboBox::currentIndexChanged, this, checkOthers);
    connect(m_quantity, &QComboBox::currentIndexChanged, this, &SelectByDialog::showQuantity);
    const int classes = m_quantity->findText(QLatin1String(kClassAttribute));
    m_quantity->setCurrentIndex(std::max(classes, 0));
    showQuantity();
}

const Attribute* SelectByDialog::attribute() const {
    const QString name = m_quantity->currentData().toString();
    return name.isEmpty() ? nullptr : m_cloud->attribute(rawBytes(name));
}

bool SelectByDialog::isOfClasses() const {
    return attribute() && isCategorical(*attribute());
}

void SelectByDialog::showQuantity() {
    const Attribute* of = attribute();
    m_classes->setVisible(isOfClasses());
    m_others->setVisible(isOfClasses());
    m_range->setVisible(!isOfClasses());
    if (isOfClasses()) {
        m_classes->clear();
        for (const QString& text : knownClasses(*m_cloud, of->name)) {
            auto* item = new QListWidgetItem(text, m_classes);
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
            item->setCheckState(Qt::Unchecked);
        }
        return;
    }
    const QString unit = of ? QString() : unitSymbol(m_unit);
    for (NumberBox* box : {m_low, m_high})
        box->setSuffix(unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
    m_low->showValue(!of ? m_heights.min : of->isLoaded() ? of->min() : 0);
    m_high->showValue(!of ? m_heights.max : of->isLoaded() ? of->max() : 0);
}

QStringList SelectByDialog::otherClasses() const {
    static const QRegularExpression separators(QStringLiteral("[,; ]+"));
    return m_others->text().split(separators, Qt::SkipEmptyParts);
}

SelectionStep SelectByDialog::step() const {
    const auto operation = SetOperation(m_operation->currentIndex());
    const double low = std::min(m_low->value(), m_high->value()),
                 high = std::max(m_low->value(), m_high->value());
    const Attribute* of = attribute();
    if (!of) {
        const double thickness = std::max(high - low, 1e-9);
        return stepOf(operation, SlabRegion{m_up * (0.5 * (low + high)), m_up, thickness});
    }
    if (!isOfClasses())
        return stepOf(operation, AttributeRegion{of->name, low, high});
    ClassRegion region{of->name, {}};
    for (int row = 0; row < m_classes->count(); ++row)
        if (m_classes->item(row)->checkState() == Qt::Checked)
            region.values.push_back(classOf(m_classes->item(row)->text()).value_or(0));
    for (const QString& part : otherClasses())
        if (const auto value = classOf(part))
            region.values.push_back(*value);
    return stepOf(operation, std::move(region));
}

FormulaDialog::FormulaDialog(For use, std::shared_ptr<const PointCloud> cloud, QWidget* parent)
    : QDialog(parent), m_cloud(std::move(cloud)), m_use(use), m_name(new QLineEdit), m_formula(new QLineEdit),
      m_operation(operationChoice()), m_hint(new QLabel) {
    const bool isNamed = use == For::attribute;
    setWindowTitle(isNamed ? tr("Compute Attribute") : tr("Select by Formula"));
    auto* form = new QFormLayout(this);
    m_name->setVisible(isNamed);
    m_operation->setVisible(!isNamed);
    if (isNamed) {
        m_name->setPlaceholderText(tr("ndvi"));
        form->addRow(tr("Name"), m_name);
    }
    m_formula->setPlaceholderText(isNamed ? tr("(nir - red) / (nir + red)")
                                          : tr("height > 2 && intensity < 0.1"));
    m_formula->setMinimumWidth(fontMetrics().averageCharWidth() * 60);
    form->addRow(tr("Formula"), m_formula);
    QStringList names, functions;
    for (const std::string& name : formulaNames(*m_cloud))
        names << QString::fromStdString(name);
    for (const std::string_view function : expressionFunctions())
        functions << QString::fromUtf8(function.data(), qsizetype(function.size()));
    auto* help = new QLabel(tr("Names: %1.\nOperators: + - * / < <= > >= == != && || ! and a ? b : c.\n"
                               "Functions: %2.")
                                .arg(names.join(QStringLiteral(", ")), functions.join(QStringLiteral(", "))));
    help->setWordWrap(true);
    help->setEnabled(false);
    form->addRow(help);
    constexpr int kHintLines = 4; // lines of an error message with the available names
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignTop);
    m_hint->setMinimumHeight(kHintLines * fontMetrics().lineSpacing());
    form->addRow(m_hint);
    if (!isNamed)
        form->addRow(tr("Result"), m_operation);
    m_accept = addButtons(this, form, isNamed ? tr("Compute") : tr("Select"))->button(QDialogButtonBox::Ok);
    connect(m_formula, &QLineEdit::textChanged, this, &FormulaDialog::check);
    connect(m_name, &QLineEdit::textChanged, this, &FormulaDialog::check);
    check();
    m_formula->setFocus();
}

void FormulaDialog::check() {
    m_problem.clear();
    bool isComplete = !formula().isEmpty();
    if (isComplete) {
        try {
            Expression(formula().toStdString(), formulaNames(*m_cloud));
        } catch (const EngineError& error) {
            m_problem = QString::fromStdString(error.what()) + QLatin1Char(' ') +
                        QString::fromStdString(error.nextStep());
        }
    }
    if (m_use == For::attribute) {
        isComplete = isComplete && !name().isEmpty();
        if (m_problem.isEmpty() && (name() == QLatin1String("x") || name() == QLatin1String("y") ||
                                    name() == QLatin1String("z") || name() == QLatin1String("height")))
            m_problem = tr("'%1' is the name of a coordinate: choose another name.").arg(name());
    }
    if (m_use == For::attribute && m_problem.isEmpty() && name() == QLatin1String(kClassAttribute))
        m_problem = tr("Classes are whole numbers: use Set Class, or choose another name.");
    m_hint->setText(m_problem);
    m_accept->setEnabled(isComplete && m_problem.isEmpty());
}

QString FormulaDialog::formula() const {
    return m_formula->text().trimmed();
}

QString FormulaDialog::name() const {
    return m_name->text().trimmed();
}

SetOperation FormulaDialog::operation() const {
    return SetOperation(m_operation->currentIndex());
}

MoveDialog::MoveDialog(Vec3d up, Vec3d pivot, LengthUnit unit, QWidget* parent)
    : QDialog(parent), m_up(up), m_pivot(pivot),
      m_angle(numberBox(tr("Rotate about vertical axis"), 0, QStringLiteral("°"))) {
    setWindowTitle(tr("Move"));
    auto* form = new QFormLayout(this);
    const std::array names{tr("Along x"), tr("Along y"), tr("Along z")};
    for (std::size_t axis = 0; axis < m_offset.size(); ++axis) {
        m_offset[axis] = numberBox(names[axis], 0, unitSymbol(unit));
        form->addRow(names[axis], m_offset[axis]);
    }
    form->addRow(m_angle->accessibleName(), m_angle);
    auto* hint = new QLabel(tr("Rotates about the centre of the view, then moves."));
    hint->setEnabled(false);
    form->addRow(hint);
    addNumberProblems(form, addButtons(this, form, tr("Move"))->button(QDialogButtonBox::Ok));
}

RigidTransform MoveDialog::motion() const {
    const double angle = m_angle->value() * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
    RigidTransform motion; // Rodrigues' rotation formula, for each axis a column
    for (int axis = 0; axis < 3 && angle != 0; ++axis) {
        Vec3d unit;
        unit[axis] = 1;
        const Vec3d turned = unit * c + cross(m_up, unit) * s + m_up * (dot(m_up, unit) * (1 - c));
        for (int row = 0; row < 3; ++row)
            motion.rows[row][axis] = turned[row];
    }
    motion.translation = m_pivot - motion.rotate(m_pivot) +
                         Vec3d{m_offset[0]->value(), m_offset[1]->value(), m_offset[2]->value()};
    return motion;
}

} // namespace scanloupe::gui
