// Builds the question whether CUDA code may run.
#include "gui/dialogs/code_dialog.h"

#include "gui/base/raw_text.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextOption>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace scanloupe::gui {

namespace {

/// Whether a character could be invisible, hide its neighbours, or change their order.
bool isMisleading(char32_t c) {
    switch (QChar::category(c)) {
    case QChar::Mark_NonSpacing:
    case QChar::Mark_Enclosing:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
    case QChar::Other_NotAssigned:
        return true;
    default:
        break;
    }
    // letters and symbols that are drawn as blanks
    constexpr std::array<char32_t, 6> blanks{0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800, 0x1D159};
    return std::ranges::find(blanks, c) != blanks.end();
}

/// Code without hidden parts: misleading characters become boxes, long lines are broken with an arrow, and
/// runs of empty lines or blanks are replaced by their number.
QString visible(const QString& text) {
    constexpr int kMaxColumns = 160, kMaxEmpty = 3, kMaxBlanks = 80, kTab = 8;
    QString shown;
    int column = 0, empty = 0, blanks = 0;
    const auto tellEmpty = [&] {
        if (empty > kMaxEmpty)
            shown += CodeDialog::tr("\u25a1 %n empty lines", nullptr, empty) + u'\n';
        else
            shown += QString(empty, u'\n');
        empty = 0;
    };
    for (const QString& line : text.split(u'\n')) {
        if (QStringView(line).trimmed().isEmpty()) {
            ++empty;
            continue;
        }
        tellEmpty();
        column = blanks = 0;
        const auto tellBlanks = [&] {
            if (blanks > kMaxBlanks)
                shown += CodeDialog::tr("\u25a1 %n blanks \u25a1", nullptr, blanks);
            else
                shown += QString(blanks, u' ');
            column += std::min(blanks, kMaxBlanks);
            blanks = 0;
        };
        for (const char32_t c : line.toUcs4()) {
            if (c == U' ' || c == U'\t') {
                blanks += c == U' ' ? 1 : kTab;
                continue;
            }
            tellBlanks();
            if (column++ == kMaxColumns) {
                shown += QStringLiteral("\n\u21aa ");
                column = 1;
            }
            shown += isMisleading(c) ? QStringLiteral("\u25a1") : QString::fromUcs4(&c, 1);
        }
        shown += u'\n';
    }
    tellEmpty();
    return shown;
}

} // namespace

CodeDialog::CodeDialog(const std::vector<CudaFile>& files, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Run CUDA Code"));
    auto* column = new QVBoxLayout(this);
    auto* question =
        new QLabel(tr("The CUDA code below would run on your GPU. Run it only if you trust its source."));
    question->setWordWrap(true);
    column->addWidget(question);
    QString text;
    for (const CudaFile& file : files) {
        QString source = shownText(file.source);
        source.replace(QLatin1String("\r\n"), QLatin1String("\n"));
        if (!text.isEmpty())
            text += QLatin1String("\n\n");
        text += QStringLiteral("// ──── %1 ────\n").arg(visible(shownText(file.name())).trimmed()) +
                visible(source);
    }
    auto* code = new QPlainTextEdit(text);
    code->setObjectName(QStringLiteral("code"));
    code->setReadOnly(true);
    code->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    code->setLineWrapMode(QPlainTextEdit::WidgetWidth); // wraps, so that no text is hidden at the right
    QTextOption order = code->document()->defaultTextOption();
    order.setTextDirection(Qt::LeftToRight);
    code->document()->setDefaultTextOption(order);
    code->setAccessibleName(windowTitle());
    column->addWidget(code, 1);
    auto* buttons = new QDialogButtonBox;
    auto* run = buttons->addButton(tr("&Run"), QDialogButtonBox::AcceptRole);
    auto* leave = buttons->addButton(tr("&Don't Run"), QDialogButtonBox::RejectRole);
    run->setAutoDefault(false);
    leave->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    const QSize space = parent ? parent->size() : QSize(900, 600);
    resize(space.width() * 3 / 4, space.height() * 3 / 4);
    leave->setFocus();
}

} // namespace scanloupe::gui
