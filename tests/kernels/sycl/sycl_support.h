#pragma once
// The kernels for SYCL for data-driven tests: their bodies on the host, and by each device that is there.
#include "kernels/sycl/chain/extract_surface.h"
#include "kernels/sycl/chain/voxelize.h"
#include "kernels/sycl/sycl_device.h"
#include "tests/kernels/sycl/host_queue.h"
#include "tests/support/sycl_library.h"

#include <QTest>

#include <algorithm>

namespace scanloupe::test {

/// A row for the host, and one for each device; one that tells why there is none.
inline void addSyclRows() {
    QTest::addColumn<int>("device");
    QTest::newRow("bodies on the host") << -1;
    const int devices = int(syclDevices().usable.size());
    for (int d = 0; d < std::max(devices, 1); ++d)
        QTest::newRow(qPrintable(QStringLiteral("sycl:%1").arg(d))) << d;
}

/// Runs kernels where a row says.
class SyclRunner {
public:
    explicit SyclRunner(int device) : m_device(device) {}

    TriangleMesh extract(const ScalarField& field, float iso, const std::stop_token& stop = {}) const {
        if (m_device >= 0)
            return device().extractSurface(field, iso, stop);
        HostQueue queue(stop);
        return sycl_chain::extractSurface(queue, field, iso);
    }
    VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params,
                       const std::stop_token& stop = {}) const {
        if (m_device >= 0)
            return device().voxelize(points, params, stop);
        HostQueue queue(stop);
        return sycl_chain::voxelize(queue, points, params);
    }

private:
    const SyclDevice& device() const { return *syclDevices().usable[std::size_t(m_device)]; }
    int m_device;
};

} // namespace scanloupe::test

/// The runner of a row; skips it with a reason where it can't run.
#define SCANLOUPE_SYCL_RUNNER(variable)                                                                      \
    QFETCH(int, device);                                                                                     \
    if (device >= int(syclDevices().usable.size()))                                                          \
        QSKIP(syclDevices().refused.front().c_str());                                                        \
    const SyclRunner variable(device)
