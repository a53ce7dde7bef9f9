// Lists the values that a scan can be coloured by.
#include "gui/panels/parameters/colour_by_row.h"

#include "engine/cloud/point_cloud.h"
#include "engine/edit/edits.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/parameters.h"
#include "engine/results/snapshot.h"
#include "gui/base/raw_text.h"
#include "gui/controls/compact_table.h"
#include "gui/controls/wheel_safe_combo_box.h"
#include "gui/models/class_model.h"
#include "gui/text/number_text.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <algorithm>

namespace scanloupe::gui {

ColourByRow::ColourByRow(const Parameter& p, QWidget* parent)
    : ParameterRow(p, true, parent), m_combo(new WheelSafeComboBox(this)), m_classes(new ClassModel(this)),
      m_classTable(compactTable(m_classes, this)), m_moreClasses(new QLabel(this)) {
    m_combo->setAccessibleName(parameterText(p.label));
    add(tr("Automatic"), QStringLiteral("auto"));
    setControl(m_combo);
    m_classTable->setAccessibleName(tr("Classes"));
    m_classTable->horizontalHeader()->setSectionResizeMode(ClassModel::name, QHeaderView::Stretch);
    m_classTable->horizontalHeader()->setSectionResizeMode(ClassModel::share, QHeaderView::ResizeToContents);
    m_moreClasses->setEnabled(false);
    grid()->addWidget(m_classTable, 1, 0, 1, 4);
    grid()->addWidget(m_moreClasses, 2, 0, 1, 4);
    setClasses(nullptr);
    connect(m_combo, &QComboBox::activated, this,
            [this](int index) { editText(rawBytes(m_combo->itemData(index).toString())); });
}

void ColourByRow::add(const QString& label, const QString& key) {
    m_combo->addItem(label, key);
}

void ColourByRow::setSource(const Snapshot& snapshot) {
    QStringList keys{QStringLiteral("auto")}, labels{tr("Automatic")};
    const auto offer = [&](const QString& label, const QString& key) {
        labels << label;
        keys << key;
    };
    const PointCloud* cloud = snapshot.cloud.get();
    for (const ColourMode& mode : colourModes()) {
        if ((!cloud && !mode.isOfVolumes()) || (mode.data == ColourData::rgb && !mayHaveRgb(*cloud)) ||
            (mode.isOfDeviations && !cloud->attribute(mode.key)))
            continue;
        if (!mode.isOfAnyAttribute()) {
            offer(parameterText(mode.label), QString::fromStdString(std::string(mode.key)));
            continue;
        }
        for (const Attribute& attribute : cloud->attributes())
            if (attribute.name != kDeviationAttribute)
                offer(shownText(attribute.name), rawText(colourByAttribute(attribute.name)));
    }
    QStringList present;
    for (int i = 0; i < m_combo->count(); ++i)
        present << m_combo->itemData(i).toString();
    if (present == keys)
        return; // unchanged: rebuilding would close an open drop-down list
    m_combo->clear();
    for (int i = 0; i < keys.size(); ++i)
        add(labels[i], keys[i]);
    select();
}

void ColourByRow::setClasses(const std::shared_ptr<const ClassCounts>& classes) {
    constexpr int most = 12; // rows; more of them scroll
    m_classes->setClasses(classes);
    fitHeight(m_classTable, most);
    m_classTable->setVisible(classes != nullptr);
    const std::size_t more = classes ? classes->classes - classes->rows.size() : 0;
    m_moreClasses->setText(tr("and %1 more").arg(countText(more)));
    m_moreClasses->setVisible(more > 0);
}

void ColourByRow::showRecipe(const Recipe& requested, const Recipe& resolved) {
    ParameterRow::showRecipe(requested, resolved);
    m_current = rawText(parameter().getText(requested));
    select();
}

void ColourByRow::select() {
    const int index = m_combo->findData(m_current);
    m_combo->setCurrentIndex(index);
    // a recipe made for another scan may name an attribute that this one lacks
    m_combo->setPlaceholderText(index < 0 ? tr("%1 (not in this scan)").arg(shownText(m_current))
                                          : QString());
}

} // namespace scanloupe::gui
