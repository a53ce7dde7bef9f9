#pragma once
// Declares a pseudo-language: English with foreign letters, a third longer, between brackets.
#include <QTranslator>

namespace scanloupe::test {

/// The text in the pseudo-language: "&Open…" becomes "⟦&Ööƥééñ…⟧". Placeholders, mnemonics, tags, entities
/// and key sequences, which the program parses, are not changed.
QString pseudoText(const QString& english);
/// The text with the foreign letters replaced by the original ones, for messages of tests.
QString plainText(QString shown);

/// Translates everything into the pseudo-language, except Qt's names of keys.
class PseudoTranslator : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* sourceText, const char* disambiguation,
                      int n) const override;
};

} // namespace scanloupe::test
