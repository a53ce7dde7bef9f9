#pragma once
// Rows of data-driven tests that run on several backends.
#include "kernels/sycl/sycl_device.h"
#include "tests/support/sycl_library.h"
#include "tests/support/test_support.h"

#include <QString>

#include <initializer_list>
#include <string>

namespace scanloupe::test {

/// The row that runs SYCL's kernels on HostSyclDevice, which needs no SYCL compiler.
inline constexpr const char* kSyclBodies = "bodies for SYCL";

/// Adds the column "backend" and a row for each of `names`.
inline void addBackendRows(std::initializer_list<const char*> names) {
    QTest::addColumn<QString>("backend");
    for (const char* name : names)
        QTest::newRow(name) << QString(name);
}
/// Rows for operators that only these two backends have.
inline void addCpuAndCuda() {
    addBackendRows({"cpu", "cuda"});
}

/// Why a row's backend can't run here; empty if it can. Text after the backend's name is ignored.
inline std::string whyNot(const QString& backend) {
    std::string reason;
    if (backend.startsWith(QLatin1String("cuda")))
        haveCudaDevice(reason);
    if (backend == QLatin1String("sycl")) {
        useBuiltSyclLibrary();
        if (syclDevices().usable.empty())
            reason = syclDevices().refused.front();
    }
    return reason;
}

} // namespace scanloupe::test

/// Declares a test with the rows that `addRows` adds, as name##On(argument), and skips those that can't run
/// here; the argument may name `backend`.
#define ON_BACKENDS_OF(addRows, name, argument)                                                              \
    void name##_data() {                                                                                     \
        addRows();                                                                                           \
    }                                                                                                        \
    void name() {                                                                                            \
        QFETCH(QString, backend);                                                                            \
        if (const std::string why = scanloupe::test::whyNot(backend); !why.empty())                          \
            QSKIP(why.c_str());                                                                              \
        name##On(argument);                                                                                  \
    }
#define ON_CPU_AND_CUDA(name) ON_BACKENDS_OF(addCpuAndCuda, name, backend)
