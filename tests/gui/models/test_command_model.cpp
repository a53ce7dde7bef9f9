// The search of commands.
#include "gui/models/command_model.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QTest>

using namespace scanloupe::gui;

namespace {

std::vector<Command> commands() {
    return {{"Open", "File", "Ctrl+O"},
            {"Export", "File", "Ctrl+E"},
            {"Save Recipe As", "File", "Ctrl+S"},
            {"Undo Voxel size", "Edit", "Ctrl+Z", false},
            {"Side by Side", "View › Layout", "Ctrl+1", true, true},
            {"One Alone", "View › Layout", "Ctrl+4"},
            {"Open Recipe", "File", ""}};
}

QStringList found(CommandModel& model, const QString& query) {
    model.setQuery(query);
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row)
        names << model.index(row, CommandModel::name).data().toString();
    return names;
}

} // namespace

class TestCommandModel : public QObject {
    Q_OBJECT
private slots:
    void menuTextsAreMadePlain() {
        QCOMPARE(plainText("&Open…"), "Open");
        QCOMPARE(plainText("Open Re&cipe…"), "Open Recipe");
        QCOMPARE(plainText("Points && Voxels"), "Points & Voxels");
        QCOMPARE(plainText("odd&"), "odd");
        QCOMPARE(plainText(""), "");
    }

    void wordsInAnyOrder() {
        CommandModel model(commands());
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 7);
        QCOMPARE(found(model, "recipe open"), QStringList{"Open Recipe"});
        QCOMPARE(found(model, "open recipe"), QStringList{"Open Recipe"});
        QCOMPARE(found(model, "OPEN").mid(0, 2), (QStringList{"Open", "Open Recipe"}));
        // a search finds commands by the path of their menu
        QCOMPARE(found(model, "layout"), (QStringList{"✓ Side by Side", "One Alone"}));
        QCOMPARE(found(model, "rec").mid(0, 2), (QStringList{"Save Recipe As", "Open Recipe"}));
        // a search finds commands by some letters in their order
        QCOMPARE(found(model, "sbs"), QStringList{"✓ Side by Side"});
        QCOMPARE(found(model, "oal").value(0), "One Alone");
        QCOMPARE(found(model, "xyzzy"), QStringList{});
        QCOMPARE(found(model, "open xyzzy"), QStringList{});
        QCOMPARE(found(model, "  ").size(), 7);
    }

    void beginsOfWordsComeFirst() {
        CommandModel model({{"Reload", "File", ""}, {"Log", "View", ""}, {"Load", "File", ""}});
        QCOMPARE(found(model, "lo"), (QStringList{"Log", "Load", "Reload"}));
        CommandModel other({{"All", "View", ""}, {"View", "Edit", ""}});
        // matches of the name precede matches of the path
        QCOMPARE(found(other, "view"), (QStringList{"View", "All"}));
    }

    void disabledOnesCannotBeChosen() {
        CommandModel model(commands());
        model.setQuery("undo");
        QCOMPARE(model.rowCount(), 1);
        QVERIFY(!(model.flags(model.index(0, 0)) & Qt::ItemIsEnabled));
        QVERIFY(model.index(0, 0).data(Qt::ForegroundRole).isValid());
        QCOMPARE(model.commandOf(0), std::size_t{3});
        QCOMPARE(model.index(0, CommandModel::keys).data().toString(), "Ctrl+Z");
    }
};

SCANLOUPE_TEST_IN(QApplication, TestCommandModel)
#include "test_command_model.moc"
