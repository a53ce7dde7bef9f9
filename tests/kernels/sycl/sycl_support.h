#pragma once
// The devices for data-driven tests of SYCL: the kernels on the host, and each available device.
#include "tests/support/host_sycl_device.h"
#include "tests/support/sycl_library.h"

#include <QTest>

#include <algorithm>

namespace scanloupe::test {

/// Adds a row for the host, and one for each device; or, without devices, a row with the reason.
inline void addSyclRows() {
    QTest::addColumn<int>("number");
    QTest::newRow("bodies on the host") << -1;
    const int devices = int(syclDevices().usable.size());
    for (int d = 0; d < std::max(devices, 1); ++d)
        QTest::newRow(qPrintable(QStringLiteral("sycl:%1").arg(d))) << d;
}

/// The device of a row; null if it is not available. -2: the host, with the work-items of a GPU.
inline std::shared_ptr<const SyclDevice> syclDeviceOfRow(int number) {
    if (number < 0)
        return std::make_shared<const HostSyclDevice>(number == -2);
    const auto& usable = syclDevices().usable;
    return number < int(usable.size()) ? usable[std::size_t(number)] : nullptr;
}

} // namespace scanloupe::test

/// The device of a row; skips the row with a reason if it is not available.
#define SCANLOUPE_SYCL_DEVICE(variable)                                                                      \
    QFETCH(int, number);                                                                                     \
    const auto variable = syclDeviceOfRow(number);                                                           \
    if (!variable)                                                                                           \
    QSKIP(syclDevices().refused.front().c_str())
