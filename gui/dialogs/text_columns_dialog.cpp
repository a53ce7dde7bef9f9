// Asks which columns of a text are x, y and z.
#include "gui/dialogs/text_columns_dialog.h"

#include "engine/io/common/read_options.h"
#include "gui/base/raw_text.h"
#include "gui/base/settings.h"
#include "gui/controls/wheel_safe_combo_box.h"

#include <QCryptographicHash>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <algorithm>

namespace scanloupe::gui {

namespace {

constexpr std::array<const char*, 3> kAxisNames{"x", "y", "z"};
constexpr std::size_t kMaxShownColumns = 64;

/// The settings' key of a layout. Its header may have any length, and characters that are invalid in keys.
QString layoutKey(const std::string& layout) {
    const auto hash = QCryptographicHash::hash(QByteArray::fromStdString(layout), QCryptographicHash::Sha256);
    return QString::fromLatin1(hash.toHex());
}

QTableWidget* previewTable(const TextPreview& preview) {
    const std::size_t columns = std::min(preview.names.size(), kMaxShownColumns);
    auto* table = new QTableWidget(int(preview.rows.size()), int(columns));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    QStringList numbers;
    for (std::size_t c = 0; c < columns; ++c)
        numbers << QString::number(c + 1);
    table->setHorizontalHeaderLabels(numbers);
    for (std::size_t r = 0; r < preview.rows.size(); ++r)
        for (std::size_t c = 0; c < std::min(columns, preview.rows[r].size()); ++c)
            table->setItem(int(r), int(c), new QTableWidgetItem(shownText(preview.rows[r][c])));
    return table;
}

} // namespace

TextColumnsDialog::TextColumnsDialog(const TextPreview& preview, QWidget* parent)
    : QDialog(parent), m_layout(preview.layout) {
    setWindowTitle(tr("Columns of the text"));
    setMinimumSize(460, 360);
    auto* form = new QFormLayout(this);
    auto* question = new QLabel(tr("Which columns are the coordinates? These are the first rows:"));
    question->setWordWrap(true);
    form->addRow(question);
    form->addRow(previewTable(preview));
    const QVariantList last = settings::textColumns(layoutKey(m_layout)).value();
    const std::array labels{tr("x, east"), tr("y, north"), tr("z, up")};
    for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
        m_axes[axis] = new WheelSafeComboBox;
        m_axes[axis]->setObjectName(QString::fromLatin1(kAxisNames[axis]));
        for (std::size_t c = 0; c < preview.names.size(); ++c)
            m_axes[axis]->addItem(tr("Column %1: %2").arg(c + 1).arg(shownText(preview.names[c])));
        const auto named = std::ranges::find(preview.names, kAxisNames[axis]);
        const bool isNamed = named != preview.names.end();
        const int guessed = isNamed ? int(named - preview.names.begin()) : int(axis);
        m_axes[axis]->setCurrentIndex(last.size() == 3 ? last[int(axis)].toInt() - 1 : guessed);
        form->addRow(labels[axis], m_axes[axis]);
        connect(m_axes[axis], &QComboBox::currentIndexChanged, this, &TextColumnsDialog::onChosen);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    m_open = buttons->button(QDialogButtonBox::Open);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    onChosen();
}

std::vector<ChosenColumn> TextColumnsDialog::columns() const {
    std::vector<ChosenColumn> columns;
    for (std::size_t axis = 0; axis < m_axes.size(); ++axis)
        columns.push_back({kAxisNames[axis], std::size_t(m_axes[axis]->currentIndex() + 1)});
    return columns;
}

void TextColumnsDialog::onChosen() {
    const int x = m_axes[0]->currentIndex(), y = m_axes[1]->currentIndex(), z = m_axes[2]->currentIndex();
    m_open->setEnabled(x >= 0 && y >= 0 && z >= 0 && x != y && y != z && z != x);
}

void TextColumnsDialog::accept() {
    QVariantList chosen;
    for (const ChosenColumn& column : columns())
        chosen << qulonglong(column.number);
    settings::textColumns(layoutKey(m_layout)).set(chosen);
    QDialog::accept();
}

} // namespace scanloupe::gui
