// Formulas: their values, error messages, and that no text crashes the program.
#include "engine/cloud/error.h"
#include "engine/edit/expression/expression.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

const std::vector<std::string> kNames{"a", "b", "height"};

double valueOf(const char* text, double a = 3, double b = -0.5, double height = 7) {
    const Expression expression(text, kNames);
    const double values[] = {a, b, height};
    std::vector<std::vector<double>> columns;
    std::vector<const double*> starts;
    for (const std::size_t name : expression.used())
        columns.push_back(std::vector<double>(5, values[name]));
    for (const auto& column : columns)
        starts.push_back(column.data());
    std::vector<double> results(5, 99);
    expression.evaluate(starts, results);
    for (const double result : results)
        if (result != results.front() && !std::isnan(result))
            return 1e99;
    return results.front();
}

} // namespace

class TestExpression : public QObject {
    Q_OBJECT
private slots:
    void values_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("value");
        const auto row = [](const char* text, double value) {
            QTest::newRow(text) << QByteArray(text) << value;
        };
        row("1", 1);
        row("1/2", 0.5);
        row("(1 > 0) / (2 > 1) / 2", 0.5);
        row("2 + 3 * 4 - 1", 13);
        row("7 - 2 - 1", 4);
        row("8 / 2 / 2", 2);
        row("-a * 2", -6);
        row("--a", 3);
        row("!a", 0);
        row("!(a > 5) && b < 0", 1);
        row("a > 2 && b > 0 || height == 7", 1);
        row("a <= 3", 1);
        row("a >= 3.0001", 0);
        row("a != 3", 0);
        row("a > 2 ? b : height", -0.5);
        row("a > 5 ? 1 : a > 2 ? 2 : 3", 2);
        row("abs(b) + sqrt(4) + min(a, b) + max(a, b)", 0.5 + 2 - 0.5 + 3);
        row("floor(b) + ceil(b) + round(2.5)", -1 + 0 + 3);
        row("pow(a, 2) + ln(exp(2)) + log10(1000)", 9 + 2 + 3);
        row("sign(b) + isnan(a)", -1);
        row("1e3 + .5 + 2.5E-1", 1000.75);
        row("0.1 + 0.2", 0.1 + 0.2);
        row("1/3", 1.0 / 3);
    }
    void values() {
        QFETCH(QByteArray, text);
        QFETCH(double, value);
        QCOMPARE(valueOf(text.constData()), value);
    }

    /// Terms are not combined: each operation rounds in the order of the text.
    void termsRoundAsWritten() {
        const double a = 0.1;
        QCOMPARE(valueOf("a*3 + a*5", a), a * 3 + a * 5);
        QCOMPARE(valueOf("a + a + a", a), a + a + a);
        QCOMPARE(valueOf("a*3 - a*2 - a", a), a * 3 - a * 2 - a);
    }

    void divisionByZeroIsNoError() {
        QVERIFY(std::isinf(valueOf("a / 0")));
        QVERIFY(std::isnan(valueOf("0 / 0")));
        QVERIFY(std::isnan(valueOf("sqrt(b)")));
    }

    void problemsAreSaid_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* text, const char* says) {
            QTest::newRow(*text ? text : "empty") << QByteArray(text) << QByteArray(says);
        };
        row("", "is missing at the end");
        row("a +", "is missing at the end");
        row("a b", "unexpected 'b'");
        row("(a", "closing parenthesis is missing");
        row("a)", "unexpected ')'");
        row("hight > 2", "unknown name 'hight' at 'hight > 2'");
        row("a = 3", "= does not compare values");
        row("a ^ 2", "unexpected '^'");
        row("sinh(a)", "unknown function 'sinh'");
        row("min(a)", "'min' needs 2 arguments");
        row("a ? b", ": is missing after ?");
        row("a && ", "is missing at the end");
        row("1e999", "invalid number");
        row("a; b", "unexpected ';'");
        row("\"a\"", "is missing at '\"a\"'");
    }
    void problemsAreSaid() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        try {
            const Expression expression(std::string_view(text.constData(), std::size_t(text.size())), kNames);
            QFAIL("it was read");
        } catch (const EngineError& error) {
            QVERIFY2(std::string(error.what()).find(says.constData()) != std::string::npos, error.what());
            QVERIFY(!error.nextStep().empty());
        }
    }

    void deepAndLongOnesAreRefused() {
        QVERIFY_EXCEPTION_THROWN(Expression(std::string(5000, '('), kNames), EngineError);
        QVERIFY_EXCEPTION_THROWN(Expression(std::string(300, '(') + "a" + std::string(300, ')'), kNames),
                                 EngineError);
        QVERIFY_EXCEPTION_THROWN(Expression(std::string(3000, '-') + "a", kNames), EngineError);
        std::string sum = "a";
        while (sum.size() < 4000)
            sum += "+a";
        QCOMPARE(valueOf(sum.c_str(), 1), double((sum.size() + 1) / 2));
    }

    /// Random sequences of pieces are either computed or rejected with a message.
    void anyTextIsReadOrRefused() {
        auto random = seededRandom("anyTextIsReadOrRefused");
        const std::vector<std::string> pieces{"a",      "b", "height", "(",  ")",   "+",    "-",     "*",
                                              "/",      "<", "<=",     "==", "!=",  "&&",   "||",    "!",
                                              "?",      ":", ",",      "1",  "0.5", "min",  "sqrt(", "max(",
                                              "1e5",    "=", "&",      "\n", " ",   "\xff", "^",     "v0",
                                              "f_abs(", ".", "..",     "0x1"};
        int computed = 0;
        for (int round = 0; round < 200'000; ++round) {
            std::string text;
            for (std::size_t i = random() % 12; i-- > 0;)
                text += pieces[random() % pieces.size()];
            try {
                static_cast<void>(valueOf(text.c_str()));
                ++computed;
            } catch (const EngineError&) {
            }
        }
        QVERIFY(computed > 1000);
    }

    void namesAreMadeOfAttributes() {
        QCOMPARE(expressionName("intensity"), std::string("intensity"));
        QCOMPARE(expressionName("scan angle"), std::string("scan_angle"));
        QCOMPARE(expressionName("9th"), std::string("_9th"));
        QCOMPARE(expressionName(""), std::string("_"));
    }
};

SCANLOUPE_TEST(TestExpression)
#include "test_expression.moc"
