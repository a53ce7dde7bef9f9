#pragma once
// Programs of several test classes. Each class registers itself under the name of its file; PROGRAM NAME
// [OPTION...] runs one of them with options of Qt Test, PROGRAM alone prints the names.
#include <QCoreApplication>
#include <QTest>

namespace scanloupe::test {

using TestMain = int (*)(int argc, char** argv);

/// Registers `run` under the name of the source `file`, without folder and ending.
class TestEntry {
public:
    TestEntry(const char* file, TestMain run);
};

/// Runs a test class without an application object. @returns the number of failed functions
template <class Test>
int runTest(int argc, char** argv) {
    Test test;
    return QTest::qExec(&test, argc, argv);
}

/// Runs a test class in an `Application` of Qt. @returns the number of failed functions
template <class Application, class Test>
int runTestIn(int argc, char** argv) {
    Application application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi); // fonts of one size on all displays
    return runTest<Test>(argc, argv);
}

} // namespace scanloupe::test

/// Registers a test class that a TestMain runs.
#define SCANLOUPE_TEST_BY(Test, ...)                                                                         \
    namespace {                                                                                              \
    const ::scanloupe::test::TestEntry entryOf##Test(__FILE__, __VA_ARGS__);                                 \
    }
/// Registers a test class that needs no application object.
#define SCANLOUPE_TEST(Test) SCANLOUPE_TEST_BY(Test, ::scanloupe::test::runTest<Test>)
/// Registers a test class that needs an `Application`: QCoreApplication or QApplication.
#define SCANLOUPE_TEST_IN(Application, Test)                                                                 \
    SCANLOUPE_TEST_BY(Test, ::scanloupe::test::runTestIn<Application, Test>)
