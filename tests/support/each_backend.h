#pragma once
// Suites that run on several backends.
#include <QTest>

#include <cstdio>
#include <initializer_list>

namespace scanloupe::test {

/// Runs a suite once on each backend, with `Backend::current()` set to it. @returns the number of failed
/// tests
template <class Backend, class Suite>
int runOnEachBackend(int argc, char** argv, std::initializer_list<const char*> names = {"cpu", "cuda"}) {
    int failed = 0;
    for (const char* name : names) {
        Backend::current().take(name);
        std::printf("On the backend %s\n", name);
        std::fflush(stdout);
        Suite suite;
        failed += QTest::qExec(&suite, argc, argv);
    }
    return failed;
}

} // namespace scanloupe::test
