// Makes the pseudo-language.
#include "tests/gui/app/pseudo_language.h"

#include <QRegularExpression>
#include <cstring>

namespace scanloupe::test {

namespace {

const QString kLatin = QStringLiteral("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
const QString kForeign = QStringLiteral("àƀçđéƒĝĥïĵķļɱñöƥɋŕšţüṽŵẋýžÀƁÇĐÉƑĜĤÏĴĶĻḾÑÖƤɊŔŠŢÜṼŴẊÝŽ");
// Relative growth of German and Finnish over English, for texts of some words
constexpr double kLonger = 0.35;

bool isKeySequence(const QString& text) {
    static const QRegularExpression keys(QStringLiteral("^((Ctrl|Alt|Shift|Meta)\\+)+[^ ]+$"));
    return keys.match(text).hasMatch();
}

} // namespace

QString pseudoText(const QString& english) {
    static const QRegularExpression kept(QStringLiteral("%L?\\d+|%n|<[^>]*>|&[a-z]+;|\\*\\.[A-Za-z0-9.]+"));
    static const QRegularExpression letter(QStringLiteral("[A-Za-z]"));
    if (isKeySequence(english) || !english.contains(letter))
        return english;
    const auto letters = english.count(letter);
    double longer = kLonger * double(letters);
    QString text;
    const auto add = [&](const QString& part) {
        for (const QChar one : part) {
            const auto index = kLatin.indexOf(one);
            const QChar shown = index < 0 ? one : kForeign[index];
            text += shown;
            if (longer >= 0.5 && QStringLiteral("aeiouyAEIOUY").contains(one)) {
                text += shown.toLower();
                longer -= 1;
            }
        }
    };
    qsizetype from = 0;
    for (auto all = kept.globalMatch(english); all.hasNext();) {
        const auto found = all.next();
        add(english.mid(from, found.capturedStart() - from));
        text += found.captured();
        from = found.capturedEnd();
    }
    add(english.mid(from));
    return QChar(0x27e6) + text + QChar(0x27e7);
}

QString plainText(QString shown) {
    for (QChar& one : shown)
        if (const auto index = kForeign.indexOf(one); index >= 0)
            one = kLatin[index];
    return shown;
}

QString PseudoTranslator::translate(const char* context, const char* sourceText, const char*, int) const {
    if (context && std::strcmp(context, "QShortcut") == 0)
        return {};
    return pseudoText(QString::fromUtf8(sourceText));
}

} // namespace scanloupe::test
