#pragma once
// Fields on either backend, for data-driven tests: results are on the host.
#include "kernels/field/core/scalar_field.h"
#include "tests/support/backend_rows.h"
#include "tests/support/host_sycl_device.h"

#include <cstring>

namespace scanloupe::test {

inline void addFieldBackends() {
    addBackendRows({"cpu", "cuda", kSyclBodies});
}

/// A copy of a host's grid on the device.
inline VoxelGrid uploaded(const VoxelGrid& grid, StreamView stream) {
    VoxelGrid copy;
    copy.shape = grid.shape;
    copy.featureCount = grid.featureCount;
    copy.keys = grid.keys.copyTo(MemorySpace::device, stream);
    copy.counts = grid.counts.copyTo(MemorySpace::device, stream);
    copy.means = grid.means.copyTo(MemorySpace::device, stream);
    return copy;
}

/// Three means of a grid from `channel` on, as vectors.
inline VectorColumns vectorsFrom(const VoxelGrid& grid, std::size_t channel, Vec3f offset = {}) {
    return {grid.mean(channel), grid.mean(channel + 1), grid.mean(channel + 2), offset};
}

/// Parameters for a copy of a grid: columns that refer to means of the grid refer to those of the copy.
inline FieldParams paramsFor(const VoxelGrid& copy, const VoxelGrid& grid, FieldParams params) {
    for (VectorColumns* columns : {&params.normals.normals, &params.normals.sensors})
        for (const float** column : {&columns->x, &columns->y, &columns->z})
            if (*column)
                *column = copy.means.data() + (*column - grid.means.data());
    return params;
}

inline ScalarField fieldOn(const QString& backend, const VoxelGrid& grid, const FieldParams& params,
                           const std::stop_token& stop = {}) {
    if (backend == "cpu")
        return cpu::computeField(grid, params, stop);
    if (backend == kSyclBodies)
        return HostSyclDevice().computeField(grid, params, {}, stop);
    const Stream stream;
    const VoxelGrid device = uploaded(grid, stream);
    return cuda::computeField(device, paramsFor(device, grid, params), stop, stream).download(stream);
}

inline ScalarField volumeOn(const QString& backend, std::span<const float> values,
                            const LatticeShape& lattice, bool clampBorder, bool insideBelow,
                            const std::stop_token& stop = {}) {
    if (backend != "cuda")
        return cpu::volumeField(values, lattice, clampBorder, insideBelow, stop);
    const Stream stream;
    return cuda::volumeField(values, lattice, clampBorder, insideBelow, stop, stream).download(stream);
}

/// The first thing in which two fields on the host differ, bit by bit; empty when there is none.
inline std::string difference(const ScalarField& a, const ScalarField& b) {
    if (a.kind != b.kind || a.insideBelow != b.insideBelow || !(a.lattice == b.lattice) ||
        !(a.brickDims == b.brickDims))
        return "the lattices differ";
    if (a.normalsGuessed != b.normalsGuessed)
        return "guessed normals: " + std::to_string(a.normalsGuessed) + " and " +
               std::to_string(b.normalsGuessed);
    const auto firstOther = [](const auto& x, const auto& y) {
        std::size_t i = 0;
        while (i < x.size() && i < y.size() && std::memcmp(&x[i], &y[i], sizeof x[i]) == 0)
            ++i;
        return i < x.size() || i < y.size() ? std::to_string(i) + " of " + std::to_string(x.size()) +
                                                  " and " + std::to_string(y.size())
                                            : std::string();
    };
    if (const auto at = firstOther(a.brickKeys, b.brickKeys); !at.empty())
        return "the bricks differ from " + at;
    if (const auto at = firstOther(a.values, b.values); !at.empty())
        return "the values differ from " + at;
    if (const auto at = firstOther(a.cellMask, b.cellMask); !at.empty())
        return "the cells differ from " + at;
    if (std::memcmp(&a.minValue, &b.minValue, sizeof(float)) != 0 ||
        std::memcmp(&a.maxValue, &b.maxValue, sizeof(float)) != 0)
        return "the extents differ";
    return {};
}

} // namespace scanloupe::test

/// Declares a test that runs on each backend, and skips those that can't run here.
#define ON_EACH_FIELD_BACKEND(name) ON_BACKENDS_OF(addFieldBackends, name, backend)
