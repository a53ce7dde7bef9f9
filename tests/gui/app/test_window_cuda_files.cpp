// CUDA files in the window: dropped, new, saved, broken and mended, with and without a GPU.
#include "engine/edit/cuda_files.h"
#include "gui/panels/edit_panel.h"
#include "tests/gui/app/edit_fixture.h"
#include "tests/gui/app/heartbeat.h"

#include <QDesktopServices>
#include <QElapsedTimer>
#include <QListView>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

const QByteArray kRed = "__device__ float3 colour(Point p) {\n    return make_float3(1, 0, 0);\n}\n";
const QByteArray kGreen = "__device__ float3 colour(Point p) {\n    return make_float3(0, 1, 0);\n}\n";
const QByteArray kBroken = "__device__ float3 colour(Point p) {\n    return make_float3(0, q, 0);\n}\n";
const QByteArray kEndless =
    "__device__ float3 colour(Point p) {\n    float x = 1;\n    while (x > 0) x += p.x * p.x;\n"
    "    return make_float3(x, x, x);\n}\n";

} // namespace

class TestWindowCudaFiles : public QObject {
    Q_OBJECT
public slots:
    void openInEditor(const QUrl& url) { m_edited << url.toLocalFile(); }

private:
    ScratchSettings m_settings;
    QTemporaryDir m_folder;
    QStringList m_edited; ///< files that an editor was asked for

    QString at(const char* name) { return m_folder.filePath(QString::fromLatin1(name)); }
    QString write(const char* name, const QByteArray& text) {
        QFile file(at(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("a file can't be written");
        return at(name);
    }
    static bool has(EditFixture& f, const QString& words) {
        return QTest::qWaitFor([&] { return f.window.messages().text().contains(words); }, 20'000);
    }
    static bool hasLayers(EditFixture& f, std::size_t count) {
        return QTest::qWaitFor([&] { return f.edits().layers.size() == count && !f.window.isBusy(); },
                               20'000);
    }
    static QString undoText(EditFixture& f) { return f.undo()->text(); }
    /// The mean red, green or blue of the cloud that is shown.
    static double mean(EditFixture& f, const char* channel) {
        const Attribute* attribute = f.snapshot()->cloud->attribute(channel);
        if (!attribute)
            return -1;
        double sum = 0;
        for (std::size_t i = 0; i < f.snapshot()->cloud->size(); ++i)
            sum += attribute->value(i);
        return sum / double(f.snapshot()->cloud->size());
    }

private slots:
    void initTestCase() { QDesktopServices::setUrlHandler("file", this, "openInEditor"); }
    void cleanupTestCase() { QDesktopServices::unsetUrlHandler("file"); }
    void init() { m_edited.clear(); }

    void badFilesAreSaid() {
        EditFixture f;
        f.drop(write("early.cu", kRed)); // before any scan
        QVERIFY(has(f, "none is"));
        QVERIFY(f.prepare());
        f.drop(at("missing.cu"));
        QVERIFY(has(f, "missing.cu can't be read: No such file"));
        f.drop(write("other.cu", "int main() {}"));
        QVERIFY(has(f, "other.cu has no function that is known"));
        f.drop(write("binary.cu", QByteArray("a\0b", 3)));
        QVERIFY(has(f, "no text"));
        QVERIFY(f.edits().layers.empty());
        QVERIFY(undoText(f) == "&Undo");
    }

    void withoutAGpuItIsSaid() {
        if (testBackend() == Backend::cuda)
            QSKIP("on a GPU");
        EditFixture f;
        QVERIFY(f.prepare());
        const auto before = f.snapshot();
        f.drop(write("first.cu", kRed));
        QVERIFY(f.edits().layers.empty()); // while it is tried: projects and other commands never meet it
        QVERIFY(has(f, "first.cu wants a GPU"));
        QVERIFY(f.waitForWhole());
        QVERIFY(f.edits().layers.empty());
        QVERIFY(undoText(f) == "&Undo");
        QCOMPARE(f.snapshot()->cloud, before->cloud);
        QVERIFY(f.window.messages().isVisible()); // and stays
        keepPicture(f.window, "cuda_file_without_gpu");
        // mended texts are tried, too
        write("first.cu", "nothing");
        QVERIFY(has(f, "no function"));
    }

    void newFilesReplaceNone() {
        EditFixture f;
        QVERIFY(f.prepare());
        write("mine.cu", kRed);
        f.saveTo(at("mine")); // to which the ending is added
        QString question;
        f.refuse(question);
        f.action("New CUDA File for Colours…")->trigger();
        QVERIFY2(question.contains("mine.cu"), qPrintable(question));
        QCOMPARE(readCudaFile(at("mine.cu").toStdString()), kRed.toStdString());
        QVERIFY(m_edited.isEmpty());
    }

    void newFilesWorkAtOnce() {
        if (testBackend() != Backend::cuda)
            QSKIP("needs a GPU");
        EditFixture f;
        QVERIFY(f.prepare());
        const struct {
            const char *action, *file;
        } kinds[] = {{"New CUDA File for Colours…", "colour.cu"},
                     {"New CUDA File for an Attribute…", "steep ness.cu"},
                     {"New CUDA File for the Surface…", "surface.cu"}};
        std::size_t layers = 0;
        for (const auto& [action, file] : kinds) {
            f.saveTo(at(file));
            QAction* entry = f.action(action);
            QVERIFY(entry && entry->isEnabled());
            entry->trigger();
            QVERIFY(hasLayers(f, ++layers));
            QVERIFY2(!f.window.messages().isError(), qPrintable(f.window.messages().text()));
            QCOMPARE(m_edited.takeFirst(), at(file));
        }
        QVERIFY(f.waitForRest());
        QVERIFY(f.snapshot()->cloud->attribute("steep_ness"));
        QCOMPARE(f.window.parameters().recipe().colourBy, std::string("steep_ness"));
        keepPicture(f.window, "cuda_files_new");
    }

    void viewsFollowWhatIsSaved() {
        if (testBackend() != Backend::cuda)
            QSKIP("needs a GPU");
        EditFixture f;
        QVERIFY(f.prepare());
        f.drop(write("live.cu", kRed));
        QVERIFY(hasLayers(f, 1));
        QVERIFY(f.waitForRest());
        QCOMPARE(mean(f, "green"), 0.0);
        QCOMPARE(f.window.parameters().recipe().colourBy, std::string("rgb")); // so that it is seen
        QElapsedTimer clock;
        clock.start();
        write("live.cu", kGreen);
        QVERIFY(QTest::qWaitFor([&] { return mean(f, "red") == 0.0; }, 20'000));
        qInfo("from saving to results: %lld ms", static_cast<long long>(clock.elapsed()));
        QVERIFY(f.waitForViews());
        qInfo("from saving to the views: %lld ms", static_cast<long long>(clock.elapsed()));
        QVERIFY(clock.elapsed() < 1000);
        QVERIFY(undoText(f).contains("Layer changed: live.cu"));

        // a fault: said with its line, the last good one stays
        const QSignalSpy failures(&f.window.jobs().runner(), &gui::PipelineRunner::runFailed);
        write("live.cu", kBroken);
        QVERIFY(has(f, "line 2"));
        QVERIFY(f.window.messages().text().contains("live.cu"));
        QVERIFY(f.waitForRest());
        keepPicture(f.window, "cuda_file_broken");
        QVERIFY(f.window.messages().isVisible());
        QCOMPARE(failures.size(), 1);
        QCOMPARE(mean(f, "red"), 0.0);
        // work goes on meanwhile, with what was good
        f.window.camera().show(gui::StandardView::front, 1);
        QVERIFY(f.waitForRest());
        QVERIFY(f.window.messages().isVisible());
        write("live.cu", kRed);
        QVERIFY(QTest::qWaitFor([&] { return mean(f, "green") == 0.0; }, 20'000));
        QVERIFY(QTest::qWaitFor([&] { return !f.window.messages().isVisible(); }, 5'000));
        // broken, and as it was again
        write("live.cu", kBroken);
        QVERIFY(has(f, "line 2"));
        write("live.cu", kRed);
        QVERIFY(QTest::qWaitFor([&] { return !f.window.messages().isVisible(); }, 5'000));

        f.undo()->trigger();
        QVERIFY(f.waitForWhole());
        QCOMPARE(mean(f, "red"), 0.0); // green again
    }

    void endlessLoopsLeaveTheWindowAtWork() {
        if (testBackend() != Backend::cuda)
            QSKIP("needs a GPU");
        EditFixture f;
        QVERIFY(f.prepare());
        f.drop(write("loop.cu", kRed));
        QVERIFY(hasLayers(f, 1));
        Heartbeat beat;
        write("loop.cu", kEndless);
        QVERIFY(has(f, "line 3: the loop was still at work after two seconds"));
        qInfo("the window's longest pause: %lld ms", static_cast<long long>(beat.latest()));
        QVERIFY(f.waitForRest());
        QCOMPARE(f.edits().layers.size(), std::size_t(1));
        QCOMPARE(mean(f, "green"), 0.0);
    }

    void otherWorkComesFirst() {
        if (testBackend() != Backend::cuda)
            QSKIP("needs a GPU");
        EditFixture f;
        QVERIFY(f.prepare());
        f.drop(write("a.cu", kRed));
        QVERIFY(hasLayers(f, 1));
        QVERIFY(f.waitForWhole());
        // a brush works while the file is saved: neither is lost
        f.press(Qt::Key_E);
        QTest::mousePress(f.view(1), Qt::LeftButton, {}, f.middle(1));
        write("a.cu", kGreen);
        QTest::qWait(600);
        QCOMPARE(f.edits().layers.size(), std::size_t(2));
        QTest::mouseRelease(f.view(1), Qt::LeftButton, {}, f.middle(1));
        QVERIFY(QTest::qWaitFor([&] { return mean(f, "red") == 0.0; }, 20'000));
        QCOMPARE(f.edits().layers.size(), std::size_t(2));
        // two files at a time, and a value that people change just then
        f.drop(write("b.cu", "__device__ float value(Point p) { return p.x; }"));
        QVERIFY(hasLayers(f, 3));
        write("a.cu", kRed);
        write("b.cu", "__device__ float value(Point p) { return 7; }");
        QTest::qWait(100);
        f.press(Qt::Key_E);
        f.undo()->trigger(); // the layer of b
        QVERIFY(QTest::qWaitFor([&] { return mean(f, "green") == 0.0; }, 20'000));
        QCOMPARE(f.edits().layers.size(), std::size_t(2));
    }

    void layersHaveTheTextOfFilesThatAreGone() {
        if (testBackend() != Backend::cuda)
            QSKIP("needs a GPU");
        EditFixture f;
        QVERIFY(f.prepare());
        f.drop(write("gone.cu", kRed));
        QVERIFY(hasLayers(f, 1));
        QVERIFY(QFile::remove(at("gone.cu")));
        QAction* edit = f.action("Edit the Layer's CUDA File");
        QVERIFY(edit && !edit->isEnabled());
        f.window.editing().list()->setCurrentIndex(f.window.editing().list()->model()->index(0, 0));
        QVERIFY(edit->isEnabled());
        f.saveTo(at("back.cu"));
        edit->trigger();
        QCOMPARE(m_edited, QStringList{at("back.cu")});
        QCOMPARE(readCudaFile(at("back.cu").toStdString()), kRed.toStdString());
        write("back.cu", kGreen);
        QVERIFY(QTest::qWaitFor([&] { return mean(f, "red") == 0.0; }, 20'000));
    }
};

QTEST_MAIN(TestWindowCudaFiles)
#include "test_window_cuda_files.moc"
