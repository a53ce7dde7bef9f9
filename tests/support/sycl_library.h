#pragma once
// Names the library of SYCL that was built with the tests.
#include <QByteArray>
#include <QTest>

#include <filesystem>
#include <string>

namespace scanloupe::test {

/// Call this before devices are queried. It has no effect if the environment names another library, or if no
/// library was built.
inline void useBuiltSyclLibrary() {
    const std::string built = QT_TESTCASE_BUILDDIR "/../../bin/scanloupe-sycl.so";
    if (!qEnvironmentVariableIsSet("SCANLOUPE_SYCL_LIBRARY") && std::filesystem::exists(built))
        qputenv("SCANLOUPE_SYCL_LIBRARY", built.c_str());
}

} // namespace scanloupe::test
