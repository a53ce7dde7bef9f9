// Builds the question whether CUDA code may run.
#include "gui/app/code_dialog.h"

#include "gui/base/raw_text.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {

/// Characters that would hide or turn around what follows are shown as boxes.
QString visible(QString text) {
    for (QChar& c : text)
        if (c != u'\n' && c != u'\t' &&
            (c.category() == QChar::Other_Format || c.category() == QChar::Other_Control ||
             c == QChar::LineSeparator || c == QChar::ParagraphSeparator))
            c = u'\u25a1';
    return text;
}

} // namespace

CodeDialog::CodeDialog(const std::vector<CudaFile>& files, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Run CUDA Code"));
    auto* column = new QVBoxLayout(this);
    auto* question =
        new QLabel(tr("What you open has CUDA code, which would run on your GPU. Run it only if you "
                      "trust where it comes from: the code is shown below."));
    question->setWordWrap(true);
    column->addWidget(question);
    QString text;
    for (const CudaFile& file : files) {
        QString source = shownText(file.source);
        source.replace(QLatin1String("\r\n"), QLatin1String("\n"));
        if (!text.isEmpty())
            text += QLatin1String("\n\n");
        text += QStringLiteral("// ──── %1 ────\n").arg(visible(shownText(file.name()))) + visible(source);
    }
    auto* code = new QPlainTextEdit(text);
    code->setObjectName(QStringLiteral("code"));
    code->setReadOnly(true);
    code->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    code->setLineWrapMode(QPlainTextEdit::WidgetWidth); // nothing is hidden at the right
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
