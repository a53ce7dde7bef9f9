#pragma once
// Registration on either backend, from data on the host to results on the host.
#include "kernels/register/ndt.h"
#include "tests/support/test_support.h"

#include <string>

namespace scanloupe::test {

/// The backend that aligns what the tests look at.
class NdtBackend {
public:
    /// The one of this run of the tests.
    static NdtBackend& current() {
        static NdtBackend backend;
        return backend;
    }
    NdtResult align(const NdtMap& map, const NdtScan& scan, const RigidTransform& start,
                    const NdtParams& params, const std::stop_token& stop = {}) {
        return cpu::alignNdt(map, scan, start, params, stop);
    }
    std::vector<NdtResult> alignBatch(const NdtMap& map, std::span<const NdtScan> scans,
                                      std::span<const NdtJob> jobs, const NdtParams& params,
                                      const std::stop_token& stop = {}) {
        return cpu::alignNdtBatch(map, scans, jobs, params, stop);
    }
    NdtFound findPose(const NdtMap& map, const NdtScan& scan, std::span<const RigidTransform> starts,
                      const NdtParams& params, const NdtSearch& search, const std::stop_token& stop = {}) {
        return cpu::findPoseNdt(map, scan, starts, params, search, stop);
    }
};

} // namespace scanloupe::test
