#pragma once
// Names the library of SYCL that was built with the tests.
#include <QByteArray>
#include <QTest>

#include <filesystem>
#include <string>

namespace scanloupe::test {

/// To be called before devices are queried. Has no effect where the environment names another library, or
/// none was built.
inline void useBuiltSyclLibrary() {
    const std::string built = QT_TESTCASE_BUILDDIR "/../../bin/scanloupe-sycl.so";
    if (!qEnvironmentVariableIsSet("SCANLOUPE_SYCL_LIBRARY") && std::filesystem::exists(built))
        qputenv("SCANLOUPE_SYCL_LIBRARY", built.c_str());
}

} // namespace scanloupe::test
