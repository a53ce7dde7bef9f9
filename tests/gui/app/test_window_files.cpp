// Files in the window: names of any bytes, results that would replace the open scan, scans that exceed the
// memory, and internal errors without a crash.
#include "engine/cloud/point_cloud.h"
#include "engine/io/writers.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/snapshot.h"
#include "gui/base/raw_text.h"
#include "gui/controls/save_file.h"
#include "gui/dialogs/export_dialog.h"
#include "gui/dialogs/text_columns_dialog.h"
#include "gui/jobs/failure.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/parameters/colour_by_row.h"
#include "gui/views/view_navigation.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/gui/panels/panel_test_support.h"
#include "tests/support/bad_scans.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

namespace fs = std::filesystem;

/// A small cloud with an attribute whose name is ISO 8859-1, as old instruments write it.
std::string latinPly() {
    std::string text = "ply\nformat ascii 1.0\nelement vertex 900\nproperty float x\nproperty float y\n"
                       "property float z\nproperty float intensit\xe4t\nend_header\n";
    for (int i = 0; i < 900; ++i)
        text += std::to_string(i % 30) + " " + std::to_string(i / 30) + " " + std::to_string(i % 7) + " " +
                std::to_string(i % 50) + "\n";
    return text;
}

std::string contentOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A view whose picks fail, like those of a lost device.
class BrokenView : public ScanView {
public:
    BrokenView(LinkedCamera& camera, std::function<void()> fail)
        : m_fail(std::move(fail)), m_navigation(new ViewNavigation(*this, camera)) {
        m_widget.resize(200, 200);
    }
    QWidget* widget() override { return &m_widget; }
    QString title() const override { return {}; }
    void prepare() override {}
    void setSnapshot(const SnapshotPtr&) override {}
    void setStyle(const ViewStyle&) override {}
    void setMarks(const SceneMarks&) override {}
    std::optional<Hit> pick(QPointF) override {
        m_fail();
        return std::nullopt;
    }
    bool isComplete() const override { return true; }
    QImage shownImage() override { return {}; }
    ViewNavigation* navigation() override { return m_navigation; }

private:
    std::function<void()> m_fail;
    QWidget m_widget;
    ViewNavigation* m_navigation;
};

/// While it exists, limits the process to `more` bytes above its current address space.
class LittleMemory {
public:
    explicit LittleMemory(std::uint64_t more) {
        ::getrlimit(RLIMIT_AS, &m_before);
        std::ifstream pages("/proc/self/statm");
        std::uint64_t taken = 0;
        pages >> taken;
        ::rlimit limit = m_before;
        limit.rlim_cur = taken * 4096 + more;
        ::setrlimit(RLIMIT_AS, &limit);
    }
    ~LittleMemory() { ::setrlimit(RLIMIT_AS, &m_before); }

private:
    ::rlimit m_before{};
};

} // namespace

class TestWindowFiles : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

    fs::path write(const std::string& name, const std::string& content) {
        const fs::path path = fs::path(m_settings.path({}).toStdString()) / name;
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    static QPushButton* saveButton(ExportDialog& dialog) {
        for (QPushButton* button : dialog.findChildren<QPushButton*>())
            if (button->text() == "&Save" || button->text() == "&Replace")
                return button;
        return nullptr;
    }
    static QString hint(ExportDialog& dialog) {
        QString all;
        for (QLabel* label : dialog.findChildren<QLabel*>())
            if (label->wordWrap())
                all += label->text();
        return all;
    }

private slots:
    void anyBytesComeBack_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("plain") << QByteArray("scan.ply");
        QTest::newRow("UTF-8") << QByteArray("caf\xc3\xa9 \xf0\x9f\x8c\x8d.ply");
        QTest::newRow("ISO 8859-1") << QByteArray("caf\xe9.ply");
        QTest::newRow("both") << QByteArray("\xc3\xa9\xe9\xf0\x9f\x8c\x8d\xff");
        QTest::newRow("cut") << QByteArray("\xf0\x9f\x8c");
        QTest::newRow("surrogate") << QByteArray("\xed\xb3\xa9");
    }
    void anyBytesComeBack() {
        QFETCH(QByteArray, bytes);
        const std::string name = bytes.toStdString();
        QCOMPARE(QByteArray::fromStdString(rawBytes(rawText(name))), bytes);
        const QUrl url = QUrl::fromEncoded("file:///scans/" + bytes.toPercentEncoding());
        QCOMPARE(QByteArray::fromStdString(rawBytes(rawTextOf(url))), "/scans/" + bytes);
        QVERIFY(shownText(name).isValidUtf16() &&
                !shownText(name).contains(QChar(QChar::ReplacementCharacter)));
    }

    void aRecipeIsDropped() {
        WindowFixture f({1200, 700});
        QVERIFY(f.isShown());
        Recipe recipe;
        recipe.voxelSize = Vec3d{0.7, 0.7, 0.7};
        const fs::path path = m_settings.path("some.json").toStdString();
        writeRecipe(path, recipe);
        f.drop(QString::fromStdString(path.string())); // before a scan is open
        QVERIFY(f.window.messages().isError());
        QVERIFY2(f.window.messages().text().contains("Open a scan"), qPrintable(f.window.messages().text()));
        f.openSample();
        QVERIFY(f.waitForViews());
        f.drop(QString::fromStdString(path.string()));
        QVERIFY(f.waitForViews());
        QCOMPARE(f.window.parameters().recipe().voxelSize->x, 0.7);
        QCOMPARE(f.snapshot()->resolved->voxelSize->x, 0.7);
        QVERIFY(f.action("Undo Voxel size: automatic → 0.7 m"));
        // an invalid recipe is rejected, and the scan stays open
        const fs::path broken = write("broken.json", "{ \"voxel_size\": ");
        f.drop(QString::fromStdString(broken.string()));
        QVERIFY(f.window.messages().isError());
        QCOMPARE(f.window.parameters().recipe().voxelSize->x, 0.7);
    }

    void unsureColumnsOfATextAreAskedFor() {
        // columns: point, easting, northing, elevation, description; northing and easting may be swapped
        const auto survey = [](int east) {
            std::string text;
            for (int i = 0; i < 900; ++i)
                text += std::to_string(i + 1) + "," + std::to_string(east + i % 30) + ".5," +
                        std::to_string(100 + i / 30) + ".5," + std::to_string(i % 7) + ".25,EP\n";
            return text;
        };
        const fs::path first = write("survey.csv", survey(0)), more = write("more.csv", survey(50));
        const auto shows = [](WindowFixture& f, const fs::path& path, double x) {
            return QTest::qWaitFor(
                [&] {
                    const SnapshotPtr& shown = f.snapshot();
                    return shown && shown->cloud->path == path.string() && shown->cloud->position(0).x == x;
                },
                20'000);
        };
        const auto question = [](WindowFixture& f) {
            TextColumnsDialog* dialog = nullptr;
            return QTest::qWaitFor(
                       [&] {
                           dialog = f.window.findChild<TextColumnsDialog*>();
                           return dialog && dialog->isVisible();
                       },
                       20'000)
                       ? dialog
                       : nullptr;
        };
        {
            WindowFixture f({1200, 700});
            QVERIFY(f.isShown());
            f.open(first);
            TextColumnsDialog* dialog = question(f);
            QVERIFY(dialog);
            auto *x = dialog->findChild<QComboBox*>("x"), *y = dialog->findChild<QComboBox*>("y");
            QPushButton* open = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open);
            // the columns as detected
            QVERIFY(x->currentIndex() == 2 && y->currentIndex() == 1 && open->isEnabled());
            x->setCurrentIndex(1);
            QVERIFY(!open->isEnabled()); // the same column is chosen for two axes
            y->setCurrentIndex(2);
            QTest::mouseClick(open, Qt::LeftButton);
            QVERIFY(shows(f, first, 0.5));
            f.open(more); // a file of the same layout needs no question
            QVERIFY(shows(f, more, 50.5));
            QVERIFY(f.waitForViews());
            dialog = f.window.findChild<TextColumnsDialog*>();
            QVERIFY(!dialog || !dialog->isVisible());
        }
        WindowFixture f({1200, 700}); // the earlier choice is the default
        QVERIFY(f.isShown());
        f.open(more);
        TextColumnsDialog* dialog = question(f);
        QVERIFY(dialog);
        QCOMPARE(dialog->findChild<QComboBox*>("x")->currentIndex(), 1);
        QCOMPARE(dialog->findChild<QComboBox*>("y")->currentIndex(), 2);
        dialog->reject();
        QVERIFY(shows(f, more, 100.5)); // the columns as detected
    }
    void namesThatAreNoUtf8() {
        const fs::path path = write("caf\xe9.ply", latinPly());
        WindowFixture f({1200, 700});
        QVERIFY(f.isShown());
        QMimeData data; // the data that a file manager drops
        data.setData("text/uri-list",
                     "file://" + QByteArray::fromStdString(path.string()).toPercentEncoding("/"));
        f.drop(data);
        QVERIFY2(f.waitForViews(), qPrintable(f.window.messages().text()));
        QCOMPARE(f.snapshot()->cloud->path, path.string());
        QCOMPARE(f.window.windowTitle(), QString::fromUtf8("caf\xc3\xa9.ply[*] – Scanloupe"));

        auto* colours = f.row<ColourByRow>("colour_by")->combo();
        const int index = colours->findText(QString::fromUtf8("intensit\xc3\xa4t"));
        QVERIFY(index >= 0);
        colours->setCurrentIndex(index);
        emit colours->activated(index);
        QVERIFY(f.waitForViews());
        QCOMPARE(f.window.jobs().runner().recipe().colourBy, std::string("intensit\xe4t"));
        QVERIFY2(!f.window.messages().isVisible(), qPrintable(f.window.messages().text()));
        QCOMPARE(colours->currentIndex(), index);
        keepPicture(f.window, "latin");

        const RecentFiles recent; // reads the settings as the next start does
        QVERIFY(!recent.paths().isEmpty());
        QCOMPARE(rawPath(recent.paths().first()), path);
    }

    void exportsGoIntoFoldersThatAreNoUtf8() {
        const fs::path folder = write("some.ply", latinPly()).parent_path() / "m\xe4rz";
        fs::create_directory(folder);
        fs::rename(folder.parent_path() / "some.ply", folder / "some.ply");
        QSettings().remove("exportFolder");
        WindowFixture f({1200, 700});
        QVERIFY(f.isShown());
        f.open(folder / "some.ply");
        QVERIFY(f.waitForWhole());
        ExportDialog dialog(f.snapshot(), f.snapshot()->picture->camera, {folder / "some.ply"}, &f.window);
        const fs::path target = folder / "some.glb";
        QCOMPARE(rawPath(dialog.path()), target);
        QVERIFY(!isThere(dialog.path()));
        f.window.jobs().exporter().start(dialog.job());
        QVERIFY(QTest::qWaitFor([&] { return !f.window.jobs().exporter().isBusy(); }, 30'000));
        QVERIFY(fs::exists(target) && isThere(dialog.path()));
        fs::remove_all(folder); // Qt can't remove this folder
    }

    void nothingReplacesTheOpenScan() {
        const std::string content = latinPly();
        const fs::path path = write("open.ply", content), link = path.parent_path() / "link.ply";
        fs::create_symlink(path, link);
        WindowFixture f({1200, 700});
        QVERIFY(f.isShown());
        f.open(path);
        QVERIFY(f.waitForWhole());
        ExportDialog dialog(f.snapshot(), f.snapshot()->picture->camera, {path}, &f.window);
        dialog.show();
        for (const auto what : {ExportDialog::What::mesh, ExportDialog::What::voxels})
            for (const fs::path& target : {path, link}) {
                dialog.choose(what);
                dialog.setPath(rawText(target.string()));
                QVERIFY(!saveButton(dialog)->isEnabled());
                QVERIFY2(hint(dialog).contains("would overwrite an input file"), qPrintable(hint(dialog)));
            }
        keepPicture(dialog, "export_over_scan");
        QSignalSpy failed(&f.window.jobs().exporter(), &ExportRunner::failed);
        f.window.jobs().exporter().start(dialog.job()); // starts the export that the dialog rejects
        QVERIFY(failed.count() > 0 || failed.wait(20'000));
        QVERIFY(contentOf(path) == content);
        dialog.setPath(rawText((path.parent_path() / "other.ply").string()));
        QVERIFY(saveButton(dialog)->isEnabled());
        const OutputCheck outputs = outputCheckFor({path});
        // allowing one replacement does not apply to the next export
        for (int again = 0; again < 2; ++again) {
            QVERIFY(!checkOutput(rawText(link.string()), outputs).sentence.isEmpty());
            QVERIFY(checkOutput(rawText((path.parent_path() / "poses.txt").string()), outputs)
                        .sentence.isEmpty());
        }
    }

    void namesGetAnEnding_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("expected");
        const QString report = "Web pages (*.html);;PDF (*.pdf)";
        QTest::newRow("none") << "a"
                              << "Raw volumes (*.raw)"
                              << ""
                              << "a.raw";
        QTest::newRow("its own") << "a.RAW"
                                 << "Raw volumes (*.raw)"
                                 << ""
                                 << "a.RAW";
        QTest::newRow("another") << "a.v2"
                                 << "Raw volumes (*.raw)"
                                 << ""
                                 << "a.v2.raw";
        QTest::newRow("in a folder") << "/b.raw/a"
                                     << "Raw volumes (*.raw)"
                                     << ""
                                     << "/b.raw/a.raw";
        QTest::newRow("the chosen filter's") << "a" << report << "PDF (*.pdf)"
                                             << "a.pdf";
        QTest::newRow("one of another filter") << "a.html" << report << "PDF (*.pdf)"
                                               << "a.html";
        QTest::newRow("all files") << "a"
                                   << "All files (*)"
                                   << ""
                                   << "a";
    }
    void namesGetAnEnding() {
        QFETCH(QString, name);
        QFETCH(QString, filter);
        QFETCH(QString, first);
        QFETCH(QString, expected);
        QCOMPARE(withEnding(name, filter, first), expected);
    }

    void theExportDialogSaysWhatIsLost() {
        ExportDialog survey(sheetSnapshot(Held::scaled), Camera{}, {});
        survey.setPath("/tmp/surface.stl");
        QVERIFY2(hint(survey).contains("coordinates are relative to 652004"), qPrintable(hint(survey)));
        QVERIFY2(!hint(survey).contains("own frame"), qPrintable(hint(survey)));
        QVERIFY2(hint(survey).contains("no colours"), qPrintable(hint(survey)));
        survey.show();
        keepPicture(survey, "export_stl");
        survey.setPath("/tmp/surface.ply");
        QVERIFY2(hint(survey).contains("own frame") && !hint(survey).contains("relative"),
                 qPrintable(hint(survey)));
        // the object is far from the file's origin, and gets its own
        ExportDialog object(sheetSnapshot(), Camera{}, {});
        object.setPath("/tmp/surface.stl");
        QCOMPARE(object.job().snapshot->origin() == Vec3d{}, hint(object).contains("own frame"));
    }

    void aScanThatMemoryDoesNotHoldIsRefused() {
        // a sparse file: a header, and 1.2 GB without data
        const fs::path path =
            write("large.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 100000000\n"
                               "property float x\nproperty float y\nproperty float z\nend_header\n");
        fs::resize_file(path, fs::file_size(path) + 1'200'000'000);
        WindowFixture f({1200, 700});
        QVERIFY(f.isShown());
        f.openSample();
        QVERIFY(f.waitForWhole());
        const auto cloud = f.snapshot()->cloud;
        QSignalSpy failed(&f.window.jobs().loader(), &ScanLoader::failed);
        {
            const LittleMemory little(600'000'000);
            f.open(path);
            QVERIFY(failed.count() > 0 || failed.wait(20'000));
        }
        fs::remove(path);
        QVERIFY2(f.window.messages().text().contains("100000000 points"),
                 qPrintable(f.window.messages().text()));
        QVERIFY2(f.window.messages().text().contains("cut the scan into parts"),
                 qPrintable(f.window.messages().text()));
        QVERIFY(f.snapshot()->cloud == cloud);
    }

    void everyExceptionOfOpeningIsReported() {
        ScanJobs jobs(Backend::cpu);
        Playlist playlist(jobs.loader(), jobs.runner());
        const std::pair<std::function<void()>, const char*> faults[] = {
            {[] { throw std::runtime_error("disk on fire"); }, "disk on fire"},
            {[] { throw fs::filesystem_error("no list", std::make_error_code(std::errc::io_error)); },
             "no list"},
            {[] { throw std::bad_alloc(); }, "memory"},
            {[] { throw 7; }, "nternal error"}};
        for (const auto& [fail, words] : faults) {
            ScanOpener opener(jobs.loader(), playlist, nullptr,
                              [fail = fail](const std::vector<fs::path>&, const std::stop_token&) {
                                  fail();
                                  return ScanList{};
                              });
            QSignalSpy failed(&opener, &ScanOpener::failed);
            opener.open({"/a", "/b"});
            QVERIFY2(failed.wait(10'000), words);
            QVERIFY2(failed[0][0].toString().contains(words), qPrintable(failed[0][0].toString()));
            QVERIFY(!failed[0][1].toString().isEmpty());
        }
    }

    void aFailedPickIsReported() {
        LinkedCamera camera;
        BrokenView view(camera, [] { throw KernelError("the device is gone", "Start again."); });
        view.widget()->show();
        QSignalSpy failed(view.navigation(), &ViewNavigation::failed);
        QTest::mouseClick(view.widget(), Qt::LeftButton, {}, {100, 100});
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].toString(), QStringLiteral("the device is gone"));
        QTest::mousePress(view.widget(), Qt::LeftButton, {}, {100, 100});
        QTest::mouseMove(view.widget(), {140, 120});
        // a click without a pick rotates about the target's depth
        QTest::mouseRelease(view.widget(), Qt::LeftButton, {}, {140, 120});
        QCOMPARE(failed.count(), 2);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowFiles)
#include "test_window_files.moc"
