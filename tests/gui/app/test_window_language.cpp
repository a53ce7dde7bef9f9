// The window in a pseudo-language: every text is translated, none is cut off. Run again at 200 %, see
// CMakeLists.txt.
#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/build_info.h"
#include "engine/results/snapshot.h"
#include "gui/app/manual_window.h"
#include "gui/dialogs/code_dialog.h"
#include "gui/text/parameter_labels.h"
#include "gui/views/surface/colour_legend.h"
#include "tests/gui/app/painted_text.h"
#include "tests/gui/app/pseudo_language.h"
#include "tests/gui/app/window_scenes.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollBar>
#include <QTabBar>
#include <QTextDocument>
#include <QTimer>
#include <QToolTip>
#include <set>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// Words that are the same in every language: units, names of keys, products and formats, key names.
const QString kNames =
    QStringLiteral("ms min px kB MB GB kiB MiB GiB deg CPU CUDA GPU OpenGL Mesa Qt "
                   "Scanloupe GCC Ctrl Alt Shift Esc Backspace "
                   "Return Enter Del Home End PgUp PgDown Left Right "
                   "float uint "
                   // functions in formulas
                   "height abs sqrt max floor ceil round sin cos tan atan exp ln log pow isnan "
                   "sign");

/// The untranslated English words of a text, except names and text from files. Empty if the whole text was
/// translated.
QString bareWords(QString text, const QStringList& data) {
    static const QRegularExpression notText(
        QStringLiteral("<[^>]*>|&[a-z]+;|https?://\\S+|\\*\\.\\w+|\\bF\\d+\\b"));
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
    static const QStringList names = kNames.split(QLatin1Char(' '));
    if (const auto cut = text.lastIndexOf(QChar(0x2026)); cut >= 0) // a shortened name
        for (const QString& known : data)
            if (cut + 1 == text.size() ? known.startsWith(text.left(cut)) : known.endsWith(text.mid(cut + 1)))
                return {};
    text.remove(notText);
    for (const QString& known : data)
        text.replace(known, QStringLiteral(" "));
    QStringList words;
    for (auto all = word.globalMatch(text); all.hasNext();)
        if (const QString one = all.next().captured(); !names.contains(one))
            words << one;
    return words.join(QLatin1Char(' '));
}

/// The scroll area that shows parts of a widget one after the other in this direction; null if there is none.
const QAbstractScrollArea* scrolls(const QWidget* viewport, Qt::Orientation direction) {
    const auto* area = qobject_cast<const QAbstractScrollArea*>(viewport->parentWidget());
    if (!area || area->viewport() != viewport)
        return nullptr;
    if (qobject_cast<const QHeaderView*>(area)) // a header scrolls together with its table
        area = qobject_cast<const QAbstractScrollArea*>(area->parentWidget());
    const bool across = direction == Qt::Horizontal;
    const QScrollBar* bar = across ? area->horizontalScrollBar() : area->verticalScrollBar();
    const auto policy = across ? area->horizontalScrollBarPolicy() : area->verticalScrollBarPolicy();
    return bar->maximum() > bar->minimum() && policy != Qt::ScrollBarAlwaysOff ? area : nullptr;
}

/// The part of a widget that is visible, or reachable by scrolling.
QRectF reachable(const QWidget& widget) {
    constexpr double kFar = 1e6;
    QRectF part(-kFar, -kFar, 2 * kFar, 2 * kFar);
    bool across = false, down = false; // whether a surrounding scroll area scrolls in this direction
    for (const QWidget* outer = &widget; outer; outer = outer->isWindow() ? nullptr : outer->parentWidget()) {
        across = across || scrolls(outer, Qt::Horizontal);
        down = down || scrolls(outer, Qt::Vertical);
        const QRectF place(widget.mapFrom(outer, QPoint(0, 0)), QSizeF(outer->size()));
        if (!across)
            part.setLeft(std::max(part.left(), place.left())),
                part.setRight(std::min(part.right(), place.right()));
        if (!down)
            part.setTop(std::max(part.top(), place.top())),
                part.setBottom(std::min(part.bottom(), place.bottom()));
    }
    return part;
}

/// Whether a text that was shortened can be read in a tool tip.
bool hasTip(QWidget& widget, const PaintedText& text) {
    const QPoint at = text.ink.center().toPoint();
    if (auto* tabs = qobject_cast<QTabBar*>(&widget))
        return !tabs->tabToolTip(tabs->tabAt(at)).isEmpty();
    QHelpEvent event(QEvent::ToolTip, at, widget.mapToGlobal(at));
    QApplication::sendEvent(&widget, &event);
    const QString tip = QToolTip::text();
    QToolTip::hideText();
    const auto cut = text.text.lastIndexOf(QChar(0x2026));
    // compare the end of a name that is elided in the middle: the folder may differ
    return cut + 1 == text.text.size() ? tip.contains(text.text.left(cut))
                                       : tip.contains(text.text.mid(cut + 1));
}

/// Describes how a text is cut off; empty if it is not.
QString cutOff(QWidget& widget, const PaintedText& text) {
    constexpr double kAcross = 1.5, kDown = 2; // pixels by which glyphs may exceed their metrics
    static const QRegularExpression letters(QStringLiteral("\\p{L}{2}"));
    if (!text.text.contains(letters))
        return {};
    const bool isTab = qobject_cast<QTabBar*>(&widget); // tab bars have arrows for scrolling
    const auto cut = text.text.indexOf(QChar(0x2026));
    // "⟦Open…⟧" is not shortened
    const bool isShortened = cut >= 0 && !text.text.mid(cut + 1).startsWith(QChar(0x27e7));
    if (isShortened && !hasTip(widget, text))
        return QStringLiteral("shortened, without a tool tip");
    QRectF seen = reachable(widget);
    if (!scrolls(&widget, Qt::Horizontal))
        seen.setLeft(std::max(seen.left(), text.clip.left())),
            seen.setRight(std::min(seen.right(), text.clip.right()));
    if (!scrolls(&widget, Qt::Vertical))
        seen.setTop(std::max(seen.top(), text.clip.top())),
            seen.setBottom(std::min(seen.bottom(), text.clip.bottom()));
    if (isTab)
        return {};
    if (text.ink.left() < seen.left() - kAcross || text.ink.right() > seen.right() + kAcross)
        return QStringLiteral("%1 to %2 of %3 to %4 across")
            .arg(text.ink.left(), 0, 'f', 0)
            .arg(text.ink.right(), 0, 'f', 0)
            .arg(seen.left(), 0, 'f', 0)
            .arg(seen.right(), 0, 'f', 0);
    if (text.ink.top() < seen.top() - kDown || text.ink.bottom() > seen.bottom() + kDown)
        return QStringLiteral("%1 to %2 of %3 to %4 down")
            .arg(text.ink.top(), 0, 'f', 0)
            .arg(text.ink.bottom(), 0, 'f', 0)
            .arg(seen.top(), 0, 'f', 0)
            .arg(seen.bottom(), 0, 'f', 0);
    return {};
}

QString nameOf(const QWidget& widget) {
    QString name;
    for (const QWidget* one = &widget; one && !one->isWindow(); one = one->parentWidget())
        if (!one->objectName().isEmpty() && !one->objectName().startsWith(QLatin1String("qt_")))
            return QStringLiteral("%1 in %2")
                .arg(QLatin1String(widget.metaObject()->className()), one->objectName());
    return QLatin1String(widget.metaObject()->className());
}

} // namespace

class TestWindowLanguage : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;
    PseudoTranslator m_language;
    QMap<QString, QString> m_bare, m_cut; ///< problems by text, each with the first widget that shows it
    QSize m_area;                         ///< area that every window must fit into
    int m_texts = 0;

    /// Text from files and from the machine that the window shows.
    QStringList dataOf(WindowFixture& f) const {
        const BackendChoice& backend = f.window.jobs().runner().backend();
        QStringList data{QString::fromStdString(backend.reason),
                         QString::fromStdString(backend.device.name),
                         openGlState().renderer,
                         openGlState().version,
                         openGlState().problem,
                         QString::fromStdString(buildInfo().compiler),
                         QStringLiteral("classification"),
                         QStringLiteral("street.ply"),
                         QStringLiteral("frame1.ply"),
                         QStringLiteral("xyzzy"), // text that the test types
                         m_settings.path(QString()),
                         m_settings.path(QStringLiteral("drive")),
                         m_settings.path(QStringLiteral("racks")),
                         QStringLiteral("street.png"),
                         QStringLiteral("street.json"),
                         QStringLiteral("yard.e57"),
                         QStringLiteral("/home/you"),
                         QStringLiteral("/scans/a/long/way/to/a/street/with/a/long"),
                         QStringLiteral("/name.las"),
                         QStringLiteral("name.las"),
                         QStringLiteral("/scans")};
        for (int i = 0; i < f.window.playlist().size(); ++i)
            data << f.window.playlist().nameOf(i);
        if (f.snapshot() && f.snapshot()->cloud) {
            const PointCloud& cloud = *f.snapshot()->cloud;
            data << QString::fromStdString(cloud.path) << QString::fromStdString(cloud.format);
            // sentences of the engine, which are shared with the command line
            for (const std::string& sentence : cloud.warnings)
                data << shownText(sentence);
            for (const StageTiming& stage : f.snapshot()->timings.stages)
                data << shownText(stage.why);
            for (const RunNote& note : f.snapshot()->notes)
                data << withParameterLabels(shownText(note.text));
            for (const Attribute& attribute : cloud.attributes())
                data << QString::fromStdString(attribute.name);
        }
        data.removeAll(QString());
        std::sort(data.begin(), data.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
        return data;
    }

    void check(const QString& text, const QString& place, const QStringList& data) {
        ++m_texts;
        const QString bare = bareWords(text, data);
        if (!bare.isEmpty() && !m_bare.contains(bare))
            m_bare.insert(bare, QStringLiteral("'%1', %2").arg(text.left(120), place));
    }

    void inspect(WindowFixture& f, const QString& scene, QWidget& window) {
        const QStringList data = dataOf(f);
        if (!qobject_cast<QMenu*>(&window) &&
            (window.width() > m_area.width() || window.height() > m_area.height()))
            m_cut.insert(
                scene,
                QStringLiteral("the window has %1 × %2 pixels").arg(window.width()).arg(window.height()));
        if (const auto* dialog =
                // other widgets of the dialog are Qt's, and show names of files
            qobject_cast<QFileDialog*>(&window)) {
            const QStringList own = dialog->nameFilters() << dialog->windowTitle();
            for (const QString& text : own)
                check(text, scene, data);
            return;
        }
        checkDocks(scene, window);
        QList<QWidget*> widgets = window.findChildren<QWidget*>();
        widgets.prepend(&window);
        for (QWidget* widget : widgets) {
            if (!widget->isVisible() || widget->window() != &window || isBehind(widget))
                continue;
            const QString place = scene + QStringLiteral(", ") + nameOf(*widget);
            QStringList texts{widget->toolTip(), widget->accessibleName(), widget->accessibleDescription(),
                              widget->statusTip(), widget->property("placeholderText").toString()};
            if (widget->isWindow() || qobject_cast<QDockWidget*>(widget))
                texts << widget->windowTitle();
            if (const auto* combo = qobject_cast<QComboBox*>(widget))
                for (int i = 0; i < combo->count(); ++i)
                    texts << combo->itemText(i) << combo->itemData(i, Qt::ToolTipRole).toString();
            for (const QAction* action : widget->actions())
                texts << action->text() << action->toolTip();
            for (const QString& text : texts)
                check(text, place, data);
            if (!isText(f, widget))
                continue;
            for (const PaintedText& painted : paintedTexts(*widget)) {
                if (!qobject_cast<QLabel*>(widget)) // lines of a label may be parts of a sentence
                    check(painted.text, place, data);
                const QString cut = cutOff(*widget, painted);
                if (!cut.isEmpty() && !m_cut.contains(painted.text))
                    m_cut.insert(painted.text, cut + QStringLiteral("; ") + place);
            }
            const auto* label = qobject_cast<QLabel*>(widget);
            if (label)
                check(label->text(), place, data);
            // rich text does not paint lines for which it has no room
            if (label && Qt::mightBeRichText(label->text()) && label->wordWrap() &&
                label->heightForWidth(label->width()) > label->height() + 2)
                m_cut.insert(label->text(), QStringLiteral("%1 of %2 lines' height; %3")
                                                .arg(label->height())
                                                .arg(label->heightForWidth(label->width()))
                                                .arg(place));
        }
    }

    /// No dock covers another one.
    void checkDocks(const QString& scene, QWidget& window) {
        QList<QDockWidget*> docks;
        for (QDockWidget* dock : window.findChildren<QDockWidget*>())
            if (dock->isVisible() && !dock->isFloating() && !isBehind(dock))
                docks << dock;
        for (const QDockWidget* one : docks)
            for (const QDockWidget* other : docks)
                if (one < other && one->geometry().intersects(other->geometry()))
                    m_cut.insert(scene + one->objectName(),
                                 QStringLiteral("covers the dock %1").arg(other->objectName()));
    }

    /// Excludes the views, which draw pictures, and the manual and the widgets with a locale of their own,
    /// such as the log, which are English by design.
    static bool isText(WindowFixture& f, const QWidget* widget) {
        for (ScanView* view : f.window.views().views())
            if (view->widget() == widget || view->widget()->isAncestorOf(widget))
                return false;
        for (const QWidget* one = widget; one; one = one->parentWidget())
            if (qobject_cast<const ManualWindow*>(one) || one->testAttribute(Qt::WA_SetLocale))
                return false;
        return true;
    }

    /// Whether a widget is in a dock that another one covers.
    static bool isBehind(const QWidget* widget) {
        for (; widget; widget = widget->parentWidget())
            if (qobject_cast<const QDockWidget*>(widget))
                return widget->visibleRegion().isEmpty();
        return false;
    }

    static void print(const char* title, const QMap<QString, QString>& found) {
        for (auto one = found.begin(); one != found.end(); ++one)
            qWarning("%s: %s: %s", title, qPrintable(plainText(one.key())),
                     qPrintable(plainText(one.value())));
    }

private slots:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        WindowScenes::writeScans(m_settings);
        QCoreApplication::installTranslator(&m_language);
        m_area = QSize(1366, 768).boundedTo(QGuiApplication::primaryScreen()->size());
    }

    void thePseudoLanguageKeepsWhatIsNoText() {
        QCOMPARE(pseudoText("Ctrl+Shift+O"), QString("Ctrl+Shift+O"));
        QCOMPARE(pseudoText("%1 × %2"), QString("%1 × %2"));
        QCOMPARE(plainText(pseudoText("&Open <b>%1</b>&nbsp;of %n…")),
                 QString("⟦&Oopeen <b>%1</b>&nbsp;oof %n…⟧"));
        QCOMPARE(pseudoText("&Open…").remove('&'), pseudoText("Open…"));
        QVERIFY(pseudoText("How voxels are found").size() > 1.3 * 20);
        QVERIFY(bareWords(pseudoText("&Open <b>%1</b>&nbsp;of %n…"), {}).isEmpty());
        QCOMPARE(bareWords(pseudoText("Open %1").arg("the file a.ply"), {"a.ply"}), QString("the file"));
    }

    void everyTextIsTranslatedAndNoneIsCutOff() {
        QSettings().clear();
        WindowFixture f(m_area);
        QVERIFY(f.isShown());
        f.window.resize(m_area);
        QVERIFY(QTest::qWaitFor([&] { return f.window.size() == m_area; }, 5000));
        QStringList shown;
        WindowScenes scenes(
            f, m_settings,
            [&](const QString& scene, QWidget& window) {
                keepPicture(window, QStringLiteral("pseudo-%1x-").arg(window.devicePixelRatio()) + scene);
                inspect(f, scene, window);
                shown << scene;
            },
            [](const QString& english) { return pseudoText(english).remove(QLatin1Char('&')); });
        QVERIFY(scenes.showEmpty());
        QVERIFY(scenes.showLayouts());
        QVERIFY(scenes.showDocks());
        for (ScanView* view : f.window.views().views())
            check(view->title(), QStringLiteral("title of a view"), {});
        for (const bool ofMesh : {false, true})
            check(legendOf(f.snapshot()->resolved, 0, 1, ofMesh, LengthUnit::metre).title,
                  QStringLiteral("legend"), {});
        QVERIFY(scenes.showMenus());
        QVERIFY(scenes.showDialogs());
        QVERIFY(scenes.showSeveral());
        CodeDialog code({{"/home/you/street.png", pseudoText("code").toStdString(), CudaFunction::colour}},
                        &f.window);
        code.show();
        QVERIFY(QTest::qWaitForWindowExposed(&code));
        keepPicture(code, QStringLiteral("pseudo-%1x-cuda-code").arg(code.devicePixelRatio()));
        inspect(f, QStringLiteral("cuda-code"), code);
        code.close();
        for (const QAction* action : f.window.findChildren<QAction*>())
            check(action->text(), QStringLiteral("action"), dataOf(f));
        qInfo("%lld scenes, %d texts", qint64(shown.size()), m_texts);
        print("bare", m_bare);
        print("cut off", m_cut);
        QVERIFY(shown.size() > 40);
        QVERIFY(m_bare.isEmpty());
        QVERIFY(m_cut.isEmpty());
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowLanguage)
#include "test_window_language.moc"
