// Divides LAS files into slices by rows.
#include "engine/io/las/las_slices.h"

#include "engine/cloud/error.h"
#include "engine/io/common/read_options.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

std::vector<LasSlice> slicesOfRows(const InputFile& file, const LasHeader& header, std::uint64_t most) {
    const std::uint64_t bytes = header.pointOffset < file.size() ? file.size() - header.pointOffset : 0;
    const std::uint64_t rows = std::min(header.points, bytes / header.recordLength);
    const std::uint64_t count = std::max<std::uint64_t>((rows + most - 1) / most, 1);
    std::vector<LasSlice> slices;
    for (std::uint64_t i = 0; i < count; ++i) {
        LasSlice& slice = slices.emplace_back();
        slice.points = rows / count + (i < rows % count ? 1 : 0);
        slice.bounds = boxOf(header);
        slice.firstRow = rows / count * i + std::min(i, rows % count);
    }
    return slices;
}

} // namespace

Bounds boxOf(const LasHeader& header) {
    Bounds box;
    for (int axis = 0; axis < 3; ++axis) {
        const double slack = 2 * std::abs(header.scale[axis]);
        box.min[axis] = header.min[axis] - slack;
        box.max[axis] = header.max[axis] + slack;
    }
    return box;
}

std::vector<LasSlice> lasSlices(const InputFile& file, const LasHeader& header, std::uint64_t most,
                                const std::stop_token& stop) {
    std::vector<LasSlice> slices =
        header.compressed ? compressedLasSlices(file, header, most, stop) : slicesOfRows(file, header, most);
    std::uint64_t points = 0;
    for (const LasSlice& slice : slices)
        points += slice.points;
    if (!slices.empty() && points < header.points)
        slices.back().missing = header.points - points;
    return slices;
}

LasSlice lasSlice(const InputFile& file, const LasHeader& header, const FileSlice& wanted,
                  const std::stop_token& stop) {
    const std::vector<LasSlice> slices = lasSlices(file, header, wanted.most, stop);
    if (wanted.index >= slices.size())
        throw EngineError(fmt::format("'{}' has changed while it was read", file.name()),
                          "Read it again once nothing writes to it.");
    return slices[wanted.index];
}

} // namespace scanloupe
