// CUDA files in the window: dropped, new, saved, broken and repaired, with and without a GPU.
#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/cuda_files.h"
#include "engine/edit/edit_list.h"
#include "engine/edit/trust_store.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/project/project.h"
#include "engine/recipe/recipe_file.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/project_controller.h"
#include "gui/dialogs/code_dialog.h"
#include "gui/panels/edit_panel.h"
#include "gui/panels/log_panel.h"
#include "tests/gui/app/edit_fixture.h"
#include "tests/gui/app/heartbeat.h"
#include "tests/support/pipeline_run.h"

#include <QDesktopServices>
#include <QElapsedTimer>
#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>

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
    QStringList m_asked;  ///< CUDA code that the question has shown
    QStringList m_edited; ///< files for which an editor was requested

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
    /// Answers the next question whether code may run, and records the shown code.
    void answer(EditFixture& f, bool runs) {
        f.inDialog([this, runs](QDialog* dialog) {
            auto* question = qobject_cast<gui::CodeDialog*>(dialog);
            QVERIFY2(question,
                     dialog->findChild<QLabel*>(QStringLiteral("qt_msgbox_label"))
                         ? qPrintable(dialog->findChild<QLabel*>(QStringLiteral("qt_msgbox_label"))->text())
                         : dialog->metaObject()->className());
            m_asked << question->findChild<QPlainTextEdit*>("code")->toPlainText();
            QVERIFY(QTest::qWaitForWindowExposed(question));
            keepPicture(*question, "cuda_code_question");
            runs ? question->accept() : question->reject();
        });
    }
    /// Drops a file whose code may run.
    void dropTrusted(EditFixture& f, const QString& path) {
        answer(f, true);
        f.drop(path);
    }
    static QString undoText(EditFixture& f) { return f.undo()->text(); }
    /// The mean of a colour channel over the shown cloud.
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
    void init() {
        m_edited.clear();
        m_asked.clear();
        // each test starts without approvals
        QFile::remove(QString::fromStdString(TrustStore::usualFile().string()));
    }

    void invalidFilesAreReported() {
        EditFixture f;
        f.drop(write("early.cu", kRed)); // before any scan is open
        QVERIFY(has(f, "Open a scan before"));
        QVERIFY(f.prepare());
        f.drop(at("missing.cu"));
        QVERIFY(has(f, "missing.cu can't be read: No such file"));
        f.drop(write("other.cu", "int main() {}"));
        QVERIFY(has(f, "other.cu defines none of the functions"));
        f.drop(write("binary.cu", QByteArray("a\0b", 3)));
        QVERIFY(has(f, "not a text file"));
        QVERIFY(f.edits().layers.empty());
        QVERIFY(undoText(f) == "&Undo");
    }

    void missingGpuIsReported() {
        if (testBackend() == Backend::cuda)
            QSKIP("on a GPU");
        EditFixture f;
        QVERIFY(f.prepare());
        const auto before = f.snapshot();
        dropTrusted(f, write("first.cu", kRed));
        // not as a layer while the file is tried: projects and other commands don't see it
        QVERIFY(f.edits().layers.empty());
        QVERIFY(has(f, "first.cu needs a GPU"));
        QVERIFY(f.waitForWhole());
        QVERIFY(f.edits().layers.empty());
        QVERIFY(undoText(f) == "&Undo");
        QCOMPARE(f.snapshot()->cloud, before->cloud);
        QVERIFY(f.window.messages().isVisible()); // the message stays
        keepPicture(f.window, "cuda_file_without_gpu");
        // later versions are tried, too
        write("first.cu", "nothing");
        QVERIFY(has(f, "none of the functions"));
    }

    void droppedFilesAsk() {
        EditFixture f;
        QVERIFY(f.prepare());
        answer(f, false);
        f.drop(write("stranger.cu", kRed));
        QVERIFY(has(f, "stranger.cu was not run"));
        QCOMPARE(m_asked.size(), 1);
        QVERIFY(m_asked[0].contains("make_float3(1, 0, 0)"));
        QVERIFY(f.edits().layers.empty());
        QVERIFY(!TrustStore().has(kRed.toStdString()));
        // the window does not follow this file any more: saving it elsewhere asks no question
        write("stranger.cu", kGreen);
        QTest::qWait(1500);
        QCOMPARE(m_asked.size(), 1);
        // approved code is remembered; later versions of the file are trusted until the scan is closed
        answer(f, true);
        f.drop(at("stranger.cu"));
        QTRY_COMPARE_WITH_TIMEOUT(m_asked.size(), 2, 20'000);
        QVERIFY(TrustStore().has(kGreen.toStdString()) && !TrustStore().has(kRed.toStdString()));
        if (testBackend() != Backend::cuda)
            QVERIFY(has(f, "needs a GPU"));
        write("stranger.cu", kRed);
        QTest::qWait(1500);
        QCOMPARE(m_asked.size(), 2);
        QVERIFY(!TrustStore().has(kRed.toStdString()));
    }

    void recipesAndProjectsAsk() {
        const auto layer = [](const QByteArray& code, const char* name) {
            CudaFileAction action =
                cudaFileAction(std::string("/nowhere/") + name, code.toStdString(), {0, 0, 1});
            PointSelection all;
            all.steps = {stepOf(SetOperation::replace, InvertRegion{})};
            return std::make_shared<const EditLayer>(EditLayer{name, false, all, action});
        };
        const auto layersHidden = [](EditFixture& f) {
            return std::ranges::all_of(f.edits().layers, [](const auto& one) { return one->isHidden; });
        };
        Recipe recipe;
        recipe.edits.layers = {layer(kRed, "red.cu"), layer(kRed, "again.cu"), layer(kGreen, "green.cu")};
        writeRecipe(at("code.json").toStdString(), recipe);
        writeCloud(at("scan.ply").toStdString(), *bumpyCloud(5000), {}, {});
        Project project;
        project.scans.push_back({at("scan.ply").toStdString()});
        project.recipe->edits.layers = {layer(kRed, "red.cu")};
        Project::Step step;
        step.recipe = project.recipe;
        step.recipe->edits.layers.push_back(layer(kGreen, "green.cu"));
        step.words = "Two files";
        project.steps = {{project.recipe}, step};
        writeProject(at("project.json").toStdString(), project);
        {
            EditFixture f;
            QVERIFY(f.prepare());
            answer(f, false);
            f.drop(at("code.json"));
            QCOMPARE(m_asked.size(), 1); // one question for all layers
            QCOMPARE(m_asked[0].count("make_float3(1, 0, 0)"), 1);
            QCOMPARE(m_asked[0].count("make_float3(0, 1, 0)"), 1);
            QCOMPARE(f.edits().layers.size(), std::size_t(3));
            QVERIFY(layersHidden(f));
            QVERIFY(has(f, "not approved"));
            QVERIFY(f.waitForWhole());
            // showing the hidden layers one by one asks again
            answer(f, false);
            f.window.editing().layerHidden(1, false);
            QCOMPARE(m_asked.size(), 2);
            QVERIFY(!m_asked[1].contains("make_float3(0, 1, 0)"));
            QVERIFY(layersHidden(f));

            answer(f, false);
            f.window.project().openProject(at("project.json"));
            QCOMPARE(m_asked.size(), 3); // the question includes code of earlier steps in the history
            QVERIFY(m_asked[2].contains("make_float3(0, 1, 0)"));
            QVERIFY(f.waitForWhole());
            QCOMPARE(f.edits().layers.size(), std::size_t(1));
            QVERIFY(layersHidden(f));
            // the message stays after the scan was opened
            QVERIFY(f.window.messages().isVisible() && has(f, "not approved"));
            QCOMPARE(f.window.findChild<gui::LogPanel*>()->text().count("not approved"), 3);
            f.action("Redo Two files")->trigger();
            QCOMPARE(f.edits().layers.size(), std::size_t(2));
            QVERIFY(layersHidden(f));
            QVERIFY(f.waitForWhole());
            QCOMPARE(m_asked.size(), 3);
            // a saved project preserves the visibility of its layers
            QVERIFY(f.window.project().saveProjectTo(at("kept.json")));
            const Project kept = readProject(at("kept.json").toStdString());
            QCOMPARE(kept.recipe->edits.layers.size(), std::size_t(2));
            for (const auto& one : kept.recipe->edits.layers)
                QVERIFY(!one->isHidden);
            QVERIFY(!kept.steps.front().recipe->edits.layers[0]->isHidden);

            answer(f, true);
            f.drop(at("code.json"));
            QCOMPARE(m_asked.size(), 4);
            QCOMPARE(f.edits().layers.size(), std::size_t(3));
            QCOMPARE(f.edits().layers[0]->isHidden, testBackend() != Backend::cuda);
            if (testBackend() != Backend::cuda)
                QVERIFY(has(f, "does not run CUDA"));
        }
        EditFixture f; // another window shares the approvals
        QVERIFY(f.prepare());
        f.window.project().openProject(at("project.json"));
        QVERIFY(QTest::qWaitFor([&] { return f.edits().layers.size() == 1; }, 20'000));
        if (testBackend() == Backend::cuda) {
            QVERIFY(!f.edits().layers[0]->isHidden);
        } else {
            QVERIFY(f.waitForWhole());
            QVERIFY(layersHidden(f) && !f.window.isWindowModified());
            QVERIFY(f.window.messages().isVisible() && has(f, "does not run CUDA"));
            f.window.editing().layerHidden(0, false);
            QVERIFY(layersHidden(f) && has(f, "does not run CUDA"));
            QVERIFY(f.waitForWhole());
            QVERIFY(f.window.project().saveProjectTo(at("kept.json")));
            const Project kept = readProject(at("kept.json").toStdString());
            QVERIFY(*kept.recipe->edits.layers[0] == *project.recipe->edits.layers[0]); // shown
        }
        QCOMPARE(m_asked.size(), 4);
    }

    void theQuestionHidesNothing() {
        const QString odd = QStringLiteral("a\u202eb\u3164c\u0301") + QString::fromUcs4(U"\U000e0041", 1);
        const QString source = odd + QString(50, u'\n') + QString(1'000'000, u'x') + "\nend" +
                               QString(5000, u' ') + "evil" + QString(500, u'\t') + "evil too";
        QElapsedTimer clock;
        clock.start();
        gui::CodeDialog dialog({{.file = "a.cu", .source = source.toStdString()}}, nullptr);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QVERIFY2(clock.elapsed() < 5000, qPrintable(QString::number(clock.elapsed())));
        const QStringList lines =
            dialog.findChild<QPlainTextEdit*>("code")->toPlainText().split(u'\n', Qt::SkipEmptyParts);
        QVERIFY2(lines.size() > 3, qPrintable(lines.join('|')));
        QCOMPARE(lines[1], QStringLiteral("a\u25a1b\u25a1c\u25a1\u25a1"));
        QVERIFY2(lines[2].contains("49"), qPrintable(lines[2]));
        // blank lines don't push code out of sight
        const QString last = lines.last();
        QVERIFY2(last.startsWith("end") && last.contains("5000") && last.contains("4000"), qPrintable(last));
        QVERIFY2(last.contains("evil") && last.endsWith("evil too"), qPrintable(last));
        for (const QString& line : lines)
            QVERIFY(line.size() < 200);
    }

    /// Code that is too long to read is rejected without a question.
    void tooMuchCodeIsNotAskedAbout() {
        Recipe recipe;
        for (const char* name : {"a.cu", "b.cu"})
            recipe.edits.layers.push_back(std::make_shared<const EditLayer>(EditLayer{
                name,
                false,
                {},
                cudaFileAction(at(name).toStdString(),
                               kRed.toStdString() + "// " + name + std::string(600'000, ' '), {0, 0, 1})}));
        writeRecipe(at("large.json").toStdString(), recipe);
        EditFixture f;
        QVERIFY(f.prepare());
        f.drop(at("large.json"));
        QVERIFY(f.waitForWhole());
        QVERIFY(m_asked.isEmpty());
        QVERIFY2(f.window.messages().text().contains("too much to review"),
                 qPrintable(f.window.messages().text()));
        QCOMPARE(f.edits().layers.size(), std::size_t(2));
        for (const auto& layer : f.edits().layers)
            QVERIFY(layer->isHidden);
    }

    /// Only the approved file is opened on the desktop, not others that a project names.
    void onlyTheLayersFileIsOpened_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<bool>("isOpened");
        QTest::newRow("the layer's") << "same.cu" << kRed << true;
        QTest::newRow("another text") << "other.cu" << kGreen << false;
        QTest::newRow("another ending") << "evil.desktop" << kRed << false;
        QTest::newRow("an executable") << "run.cu" << kRed << false;
        QTest::newRow("a link") << "link.cu" << kRed << false;
        QTest::newRow("in a link") << "linked/same.cu" << kRed << false;
        QTest::newRow("of a host") << "slashes.cu" << kRed << false;
        QTest::newRow("a folder") << "folder.cu" << QByteArray() << false;
        QTest::newRow("none") << "none.cu" << QByteArray() << false;
    }
    void onlyTheLayersFileIsOpened() {
        QFETCH(QString, file);
        QFETCH(QByteArray, content);
        QFETCH(bool, isOpened);
        const QByteArray name = file.toUtf8();
        if (file.startsWith("linked/")) {
            QVERIFY(QDir().mkpath(at("real")));
            QFile::link(at("real"), at("linked"));
        }
        const QString path = (file == "slashes.cu" ? "/" : "") + at(name);
        if (file == "folder.cu")
            QVERIFY(QDir().mkpath(at(name)));
        else if (file == "link.cu")
            QVERIFY(QFile::link(write("evil.desktop", content), at(name)));
        else if (!content.isEmpty())
            write(name, content);
        if (file == "run.cu")
            QVERIFY(QFile::setPermissions(at(name), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        Recipe recipe;
        recipe.edits.layers = {std::make_shared<const EditLayer>(
            EditLayer{"layer", true, {}, cudaFileAction(path.toStdString(), kRed.toStdString(), {0, 0, 1})})};
        writeRecipe(at("edit.json").toStdString(), recipe);
        EditFixture f;
        QVERIFY(f.prepare());
        f.drop(at("edit.json"));
        QVERIFY(f.waitForWhole());
        QCOMPARE(f.edits().layers.size(), std::size_t(1));
        f.window.editing().list()->setCurrentIndex(f.window.editing().list()->model()->index(0, 0));
        QAction* edit = f.action("Edit CUDA File of Layer");
        QVERIFY(edit && edit->isEnabled());
        answer(f, false);
        edit->trigger();
        QCOMPARE(m_asked.size(), 1);
        QVERIFY(m_edited.isEmpty());
        // the file is opened once its code is approved
        f.inDialog([&](QDialog* dialog) {
            QVERIFY(qobject_cast<gui::CodeDialog*>(dialog));
            if (!isOpened)
                f.saveTo(at("saved.cu"));
            dialog->accept();
        });
        QFile::remove(at("saved.cu"));
        edit->trigger();
        QCOMPARE(m_edited, QStringList{isOpened ? at(name) : at("saved.cu")});
        if (isOpened)
            return;
        QCOMPARE(readCudaFile(at("saved.cu").toStdString()), kRed.toStdString());
        QCOMPARE(std::get<CudaFileAction>(f.edits().layers[0]->action).file.file,
                 at("saved.cu").toStdString());
    }

    void newFilesReplaceNone() {
        EditFixture f;
        QVERIFY(f.prepare());
        write("mine.cu", kRed);
        f.saveTo(at("mine")); // the ending is added
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
                     {"New CUDA File for Attribute…", "steep ness.cu"},
                     {"New CUDA File for Surface…", "surface.cu"}};
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
        dropTrusted(f, write("live.cu", kRed));
        QVERIFY(hasLayers(f, 1));
        QVERIFY(f.waitForRest());
        QCOMPARE(mean(f, "green"), 0.0);
        QCOMPARE(f.window.parameters().recipe().colourBy, std::string("rgb")); // makes the colour visible
        QElapsedTimer clock;
        clock.start();
        write("live.cu", kGreen);
        QVERIFY(QTest::qWaitFor([&] { return mean(f, "red") == 0.0; }, 20'000));
        qInfo("from saving to results: %lld ms", static_cast<long long>(clock.elapsed()));
        QVERIFY(f.waitForViews());
        qInfo("from saving to the views: %lld ms", static_cast<long long>(clock.elapsed()));
        QVERIFY(clock.elapsed() < 1000);
        QVERIFY(undoText(f).contains("Layer changed: live.cu"));

        // an error: reported with its line, and the last valid version stays
        const QSignalSpy failures(&f.window.jobs().runner(), &gui::PipelineRunner::runFailed);
        write("live.cu", kBroken);
        QVERIFY(has(f, "line 2"));
        QVERIFY(f.window.messages().text().contains("live.cu"));
        QVERIFY(f.waitForRest());
        keepPicture(f.window, "cuda_file_broken");
        QVERIFY(f.window.messages().isVisible());
        QCOMPARE(failures.size(), 1);
        QCOMPARE(mean(f, "red"), 0.0);
        // the last valid version stays in use meanwhile
        f.window.camera().show(gui::StandardView::front, 1);
        QVERIFY(f.waitForRest());
        QVERIFY(f.window.messages().isVisible());
        write("live.cu", kRed);
        QVERIFY(QTest::qWaitFor([&] { return mean(f, "green") == 0.0; }, 20'000));
        QVERIFY(QTest::qWaitFor([&] { return !f.window.messages().isVisible(); }, 5'000));
        // first broken, then restored to the previous version
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
        dropTrusted(f, write("loop.cu", kRed));
        QVERIFY(hasLayers(f, 1));
        Heartbeat beat;
        write("loop.cu", kEndless);
        QVERIFY(has(f, "line 3: the code ran longer than two seconds"));
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
        dropTrusted(f, write("a.cu", kRed));
        QVERIFY(hasLayers(f, 1));
        QVERIFY(f.waitForWhole());
        // a brush stroke while the file is saved: neither is lost
        f.press(Qt::Key_E);
        QTest::mousePress(f.view(1), Qt::LeftButton, {}, f.middle(1));
        write("a.cu", kGreen);
        QTest::qWait(600);
        QCOMPARE(f.edits().layers.size(), std::size_t(2));
        QTest::mouseRelease(f.view(1), Qt::LeftButton, {}, f.middle(1));
        QVERIFY(QTest::qWaitFor([&] { return mean(f, "red") == 0.0; }, 20'000));
        QCOMPARE(f.edits().layers.size(), std::size_t(2));
        // two files at a time, and a parameter that the user changes at the same time
        dropTrusted(f, write("b.cu", "__device__ float value(Point p) { return p.x; }"));
        QVERIFY(hasLayers(f, 3));
        write("a.cu", kRed);
        write("b.cu", "__device__ float value(Point p) { return 7; }");
        QTest::qWait(100);
        f.press(Qt::Key_E);
        f.undo()->trigger(); // removes the layer of b
        QVERIFY(QTest::qWaitFor([&] { return mean(f, "green") == 0.0; }, 20'000));
        QCOMPARE(f.edits().layers.size(), std::size_t(2));
    }

    void layersHaveTheTextOfFilesThatAreGone() {
        if (testBackend() != Backend::cuda)
            QSKIP("needs a GPU");
        EditFixture f;
        QVERIFY(f.prepare());
        dropTrusted(f, write("gone.cu", kRed));
        QVERIFY(hasLayers(f, 1));
        QVERIFY(QFile::remove(at("gone.cu")));
        QAction* edit = f.action("Edit CUDA File of Layer");
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

SCANLOUPE_TEST_IN(QApplication, TestWindowCudaFiles)
#include "test_window_cuda_files.moc"
