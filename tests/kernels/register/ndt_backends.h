#pragma once
// Registration on both backends; data and results are on the host.
#include "kernels/core/stream.h"
#include "kernels/register/ndt/ndt_device.h"
#include "tests/support/each_backend.h"
#include "tests/support/test_support.h"

#include <optional>
#include <string>

namespace scanloupe::test {

/// The backend that the tests align with.
class NdtBackend {
public:
    /// The backend of this run of the suite.
    static NdtBackend& current() {
        static NdtBackend backend;
        return backend;
    }
    void take(const char* name) { m_name = name; }
    bool isCuda() const { return m_name == "cuda"; }
    /// Why the backend can't run here; empty if it can.
    std::string whyNot() const {
        std::string reason;
        if (isCuda())
            haveCudaDevice(reason);
        return reason;
    }
    StreamView stream() {
        if (!m_stream)
            m_stream.emplace();
        return m_stream->view();
    }

    NdtResult align(const NdtMap& map, const NdtScan& scan, const RigidTransform& start,
                    const NdtParams& params, const std::stop_token& stop = {}) {
        if (!isCuda())
            return cpu::alignNdt(map, scan, start, params, stop);
        return cuda::alignNdt({map, stream()}, {scan, stop, stream()}, start, params, {}, stop, stream());
    }
    NdtResult score(const NdtMap& map, const NdtScan& scan, const RigidTransform& pose,
                    const NdtParams& params) {
        if (!isCuda())
            return cpu::scoreNdt(map, scan, pose, params, {});
        return cuda::scoreNdt({map, stream()}, {scan, {}, stream()}, pose, params, {}, stream());
    }
    std::vector<NdtResult> alignBatch(const NdtMap& map, std::span<const NdtScan> scans,
                                      std::span<const NdtJob> jobs, const NdtParams& params,
                                      const std::stop_token& stop = {}) {
        if (!isCuda())
            return cpu::alignNdtBatch(map, scans, jobs, params, stop);
        std::vector<cuda::NdtDeviceScan> there;
        for (const NdtScan& scan : scans)
            there.emplace_back(scan, stop, stream());
        return cuda::alignNdtBatch({map, stream()}, there, jobs, params, stop, stream());
    }
    NdtFound findPose(const NdtMap& map, const NdtScan& scan, std::span<const RigidTransform> starts,
                      const NdtParams& params, const NdtSearch& search, const std::stop_token& stop = {}) {
        if (!isCuda())
            return cpu::findPoseNdt(map, scan, starts, params, search, stop);
        return cuda::findPoseNdt({map, stream()}, scan, starts, params, search, stop, stream());
    }

private:
    std::string m_name = "cpu";
    std::optional<Stream> m_stream;
};

} // namespace scanloupe::test

/// Skips a suite, from its initTestCase, where its backend can't run.
#define SKIP_WITHOUT_NDT_BACKEND()                                                                           \
    if (const std::string why = scanloupe::test::NdtBackend::current().whyNot(); !why.empty())               \
    QSKIP(why.c_str())
#define NDT_TEST(Suite)                                                                                      \
    SCANLOUPE_TEST_BY(Suite, [](int argc, char** argv) {                                                     \
        return scanloupe::test::runOnEachBackend<scanloupe::test::NdtBackend, Suite>(argc, argv);            \
    })
