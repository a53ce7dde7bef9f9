// Watching files that are written, replaced, removed, and created again.
#include "gui/jobs/file_watch.h"
#include "tests/support/test_support.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace scanloupe::gui;

namespace {

void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

} // namespace

class TestFileWatch : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    QString at(const char* name) { return m_folder.filePath(QString::fromLatin1(name)); }

private slots:
    void savedFilesAreReportedOnce() {
        write(at("a.cu"), "1");
        write(at("b.cu"), "1");
        FileWatch watch;
        QSignalSpy saved(&watch, &FileWatch::saved);
        watch.setFiles({at("a.cu"), at("b.cu")});
        for (int i = 0; i < 3; ++i) { // the file is written several times
            write(at("a.cu"), QByteArray::number(i));
            QTRY_COMPARE(saved.size(), 1);
            QCOMPARE(saved.takeFirst().front().toString(), at("a.cu"));
        }
        write(at("other.cu"), "1");
        watch.setFiles({at("b.cu")});
        write(at("a.cu"), "2");
        QTest::qWait(300);
        QCOMPARE(saved.size(), 0);
    }

    void followsAFileThatIsReplaced() { // replaced by renaming another file, as many editors save
        write(at("c.cu"), "1");
        FileWatch watch;
        QSignalSpy saved(&watch, &FileWatch::saved);
        watch.setFiles({at("c.cu")});
        for (int i = 0; i < 3; ++i) {
            write(at("c.cu~"), QByteArray::number(i));
            QCOMPARE(std::rename(qPrintable(at("c.cu~")), qPrintable(at("c.cu"))), 0);
            QTRY_COMPARE(saved.size(), 1);
            saved.clear();
        }
        QVERIFY(QFile::remove(at("c.cu")));
        QTest::qWait(300);
        QCOMPARE(saved.size(), 0);
        write(at("c.cu"), "new");
        QTRY_COMPARE(saved.size(), 1);
    }

    void waitsUntilAFileIsWritten() {
        write(at("d.cu"), "1");
        FileWatch watch;
        QSignalSpy saved(&watch, &FileWatch::saved);
        watch.setFiles({at("d.cu")});
        QFile file(at("d.cu"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 10; ++i) {
            file.write("piece ");
            file.flush();
            QTest::qWait(10);
        }
        file.close();
        QTRY_COMPARE(saved.size(), 1);
        QTest::qWait(200);
        QCOMPARE(saved.size(), 1);
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestFileWatch)
#include "test_file_watch.moc"
