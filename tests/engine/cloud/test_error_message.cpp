// The messages that users read when an exception is thrown.
#include "engine/cloud/error.h"
#include "engine/cloud/error_message.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <filesystem>
#include <functional>
#include <new>

using namespace scanloupe;
using Kind = ErrorMessage::Kind;

class TestErrorMessage : public QObject {
    Q_OBJECT

    static ErrorMessage messageOf(const std::function<void()>& fail) {
        try {
            fail();
        } catch (...) {
            return errorMessage(std::current_exception(), {"Take less.", "Report it."});
        }
        return {};
    }

private slots:
    void everyExceptionHasAMessage_data() {
        QTest::addColumn<std::function<void()>>("fail");
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("nextStep");
        const auto row = [](const char* name, std::function<void()> fail, Kind kind, const char* sentence,
                            const char* nextStep) {
            QTest::newRow(name) << std::move(fail) << kind << QString(sentence) << QString(nextStep);
        };
        row(
            "cancelled", [] { throw Cancelled(); }, Kind::cancelled, "", "");
        row(
            "a file", [] { throw EngineError("It is empty.", "Take another."); }, Kind::mendable,
            "It is empty.", "Take another.");
        row(
            "a kernel", [] { throw DeviceMemoryShort("The device is full.", "Free it."); }, Kind::mendable,
            "The device is full.", "Free it.");
        row(
            "memory", [] { throw std::bad_alloc(); }, Kind::mendable, "Out of memory.", "Take less.");
        const auto denied = std::make_error_code(std::errc::permission_denied);
        row(
            "a path", [=] { throw std::filesystem::filesystem_error("open", "/a", denied); }, Kind::mendable,
            "Cannot access '/a': Permission denied.", "Check the path and your permissions.");
        row(
            "a fault", [] { throw Fault("it broke"); }, Kind::fault, "Internal error: it broke",
            "Report it.");
        row(
            "anything", [] { throw 7; }, Kind::fault, "Internal error of unknown type.", "Report it.");
    }
    void everyExceptionHasAMessage() {
        QFETCH(std::function<void()>, fail);
        QFETCH(Kind, kind);
        const ErrorMessage message = messageOf(fail);
        QCOMPARE(message.kind, kind);
        QTEST(QString::fromStdString(message.sentence), "sentence");
        QTEST(QString::fromStdString(message.nextStep), "nextStep");
    }
    void longWordsLackTheirMiddle() {
        std::string path = "'/";
        for (int i = 0; i < 400; ++i)
            path += "ä";
        QCOMPARE(shortenedMessage("In " + path + "/a.ply' is no scan."),
                 "In " + path + "/a.ply' is no scan.");
        QCOMPARE(shortenedMessage(""), std::string());
        for (const std::size_t letters : {1001u, 1002u, 1003u, 50'000'000u}) {
            std::string word;
            while (word.size() < letters)
                word += "€";
            const std::string shown = shortenedMessage("No '" + word + "'  here.\n");
            QVERIFY(shown.starts_with("No '€€") && shown.ends_with("€'  here.\n"));
            QVERIFY(shown.size() < 1030 && QString::fromStdString(shown).toStdString() == shown);
        }
        std::string words;
        while (words.size() < 1'000'000)
            words += "many ";
        QVERIFY(shortenedMessage(words).size() <= 16'003);
        const ErrorMessage message =
            messageOf([&] { throw EngineError(std::string(5000, 'a'), std::string(5000, 'b')); });
        QVERIFY(message.sentence.size() < 1010 && message.nextStep.size() < 1010);
    }
    void aListThatFailsNamesNoPath() {
        const ErrorMessage message = messageOf([] {
            throw std::filesystem::filesystem_error("no list", std::make_error_code(std::errc::io_error));
        });
        QVERIFY(message.sentence.find("no list") != std::string::npos);
    }
};

SCANLOUPE_TEST(TestErrorMessage)
#include "test_error_message.moc"
