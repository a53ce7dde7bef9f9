// Writes all cells of a voxel grid, including empty cells. Cells are written in pieces, since the dense grid
// need not fit into memory.
#include "engine/cloud/attribute.h"
#include "engine/cloud/error.h"
#include "engine/compute/memory.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/common/write/write_pieces.h"
#include "engine/io/npy/npy_header.h"
#include "engine/io/volume/write_sidecar.h"
#include "engine/io/writers.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace scanloupe {

namespace {

ScalarType typeOf(DenseValues values) {
    return values == DenseValues::counts ? ScalarType::uint32 : ScalarType::uint8;
}

/// Throws if the dense grid is larger than the available memory, since readers load it as a whole.
void requireReadable(const GridShape& shape, DenseValues values) {
    const std::uint64_t available = availableHostMemory(), bytes = sizeOf(typeOf(values));
    if (shape.cellCount() > available / bytes)
        throw EngineError(fmt::format("The dense grid of {} x {} x {} voxels has {} cells of {} B, which is "
                                      "more than the {} of memory available.",
                                      shape.dims.x, shape.dims.y, shape.dims.z, shape.cellCount(), bytes,
                                      formatBytes(available)),
                          "Choose a smaller range (--range) or larger voxels (--voxel-size), or write only "
                          "the occupied voxels (--voxels).");
}

/// Appends the values of the cells with keys in [begin, end).
void appendCells(std::string& out, const VoxelGrid& voxels, DenseValues values, std::size_t begin,
                 std::size_t end) {
    const std::size_t bytes = sizeOf(typeOf(values)), at = out.size();
    out.append((end - begin) * bytes, '\0');
    const auto keys = voxels.keys.span();
    const auto first = std::ranges::lower_bound(keys, std::uint64_t{begin});
    for (auto i = std::size_t(first - keys.begin()); i < keys.size() && keys[i] < end; ++i) {
        char* const cell = out.data() + at + (keys[i] - begin) * bytes;
        if (values == DenseValues::counts)
            std::memcpy(cell, &voxels.counts[i], bytes);
        else
            *cell = 1;
    }
}

} // namespace

const std::vector<std::string>& denseEndings() {
    static const std::vector<std::string> endings{".npy", ".raw"};
    return endings;
}

void writeDenseVoxels(const std::filesystem::path& target, const VoxelGrid& voxels, DenseValues values,
                      const WriteOptions& options, const std::stop_token& stop) {
    const std::string ending =
        options.ending.empty() ? requireEnding(target, denseEndings(), "dense voxels") : options.ending;
    const GridShape& shape = voxels.shape;
    requireReadable(shape, values);
    const auto cells = static_cast<std::size_t>(shape.cellCount());
    const std::size_t extents[] = {std::size_t(shape.dims.z), std::size_t(shape.dims.y),
                                   std::size_t(shape.dims.x)};
    const std::string header =
        ending == ".npy" ? npyHeader("'" + numpyType(typeOf(values)) + "'", extents) : std::string();
    writeAtomically(
        target,
        [&](std::ostream& stream) {
            constexpr std::size_t grain = std::size_t{1} << 20; // cells
            stream.write(header.data(), static_cast<std::streamsize>(header.size()));
            ProgressMeter meter(options.progress, cells);
            writePieces(stream, cells, grain, meter, stop,
                        [&](std::string& out, std::size_t begin, std::size_t end) {
                            appendCells(out, voxels, values, begin, end);
                        });
        },
        stop);
    if (ending == ".raw") // written last, so that stopping earlier keeps the previous volume valid
        writeSidecar(target, shape.dims, nameOf(typeOf(values)), shape.voxelSize);
}

} // namespace scanloupe
