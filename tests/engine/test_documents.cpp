// All names in code spans of ARCHITECTURE.md and CONTRIBUTING.md exist as files, folders, functions or types.
#include "tests/support/test_support.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>

namespace {

QString readText(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// All words of the sources: identifiers, file names, keys.
const QSet<QString>& wordsOfTheSources() {
    static const QSet<QString> words = [] {
        QSet<QString> found;
        const QRegularExpression word("[A-Za-z_][A-Za-z0-9_]*");
        for (const char* folder : {"kernels", "engine", "gui", "tests", "packaging"}) {
            QDirIterator files(QString(SCANLOUPE_SOURCE_DIR) + '/' + folder, QDir::Files,
                               QDirIterator::Subdirectories);
            while (files.hasNext()) {
                auto matches = word.globalMatch(readText(files.next()));
                while (matches.hasNext())
                    found.insert(matches.next().captured());
            }
        }
        return found;
    }();
    return words;
}

/// The text between backticks in a page, without blocks of commands.
QStringList codeSpans(QString page) {
    page.remove(QRegularExpression("```.*?```", QRegularExpression::DotMatchesEverythingOption));
    QStringList spans;
    auto matches = QRegularExpression("`([^`]+)`").globalMatch(page);
    while (matches.hasNext())
        spans << matches.next().captured(1);
    return spans;
}

/// The problem of a code span; empty if there is none.
QString problemOf(const QString& span) {
    const QString path = span.section(' ', 0, 0);
    const bool isCommand = span.contains(' ') || span.contains('$') || span.startsWith('-');
    const bool isPath = path.contains('/') || path.endsWith(".md") || path == ".clang-format";
    if (isPath && !path.startsWith("../") && !path.startsWith("build/") && !path.startsWith("bin/"))
        return QFile::exists(QString(SCANLOUPE_SOURCE_DIR) + '/' + path) ? QString() : "there is no " + path;
    if (isPath || isCommand || span.startsWith('.'))
        return {};
    auto words = QRegularExpression("[A-Za-z_][A-Za-z0-9_]*").globalMatch(span);
    while (words.hasNext()) {
        const QString word = words.next().captured();
        if (!wordsOfTheSources().contains(word))
            return "no source has " + word;
    }
    return {};
}

} // namespace

class TestDocuments : public QObject {
    Q_OBJECT
private slots:
    void whatIsNamedExists_data() {
        QTest::addColumn<QString>("page");
        for (const char* page : {"ARCHITECTURE.md", "CONTRIBUTING.md"})
            QTest::newRow(page) << page;
    }
    void whatIsNamedExists() {
        QFETCH(QString, page);
        const QStringList spans = codeSpans(readText(QString(SCANLOUPE_SOURCE_DIR) + '/' + page));
        QVERIFY(spans.size() > 20);
        QStringList problems;
        for (const QString& span : spans)
            if (const QString problem = problemOf(span); !problem.isEmpty())
                problems << problem;
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join("; ")));
    }
    void whatDoesNotExistIsFound() {
        QVERIFY(problemOf("engine/io/formats.cpp").isEmpty());
        QVERIFY(!problemOf("engine/io/no_such_file.cpp").isEmpty());
        QVERIFY(problemOf("Pipeline::run()").isEmpty());
        QVERIFY(!problemOf(QString("Pipeline::%1()").arg(QString("thatIs") + "Nowhere")).isEmpty());
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestDocuments)
#include "test_documents.moc"
