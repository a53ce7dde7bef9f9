// Replaces command-line options in messages by the labels of parameters.
#include "gui/text/parameter_labels.h"

#include "engine/cloud/error_message.h"
#include "engine/recipe/parameters.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace scanloupe::gui {

QString withParameterLabels(const QString& text) {
    constexpr qsizetype longest = 1000; // longest text that is not shortened
    const QString sentence =
        text.size() <= longest ? text : QString::fromStdString(shortenedMessage(text.toStdString()));
    if (!sentence.contains(QLatin1String("--")))
        return sentence;
    QString words = sentence;
    static const QRegularExpression inBrackets(QStringLiteral(R"( \(--[a-z][^()]*\))"));
    words.remove(inBrackets);
    static const QRegularExpression option(QStringLiteral(R"(--([a-z]+(?:-[a-z]+)*))"));
    qsizetype from = 0;
    for (auto found = option.match(words); found.hasMatch(); found = option.match(words, from)) {
        const std::string name = found.captured(0).toStdString();
        from = found.capturedEnd();
        for (const Parameter& p : parameters()) {
            if (p.option() != name)
                continue;
            const QString label = QCoreApplication::translate("parameters", p.label.c_str());
            words.replace(found.capturedStart(), found.capturedLength(), label);
            from = found.capturedStart() + label.size();
        }
    }
    return words;
}

} // namespace scanloupe::gui
