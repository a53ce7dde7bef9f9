#pragma once
// Declares the decoding of layered LAZ chunks by kernels. The kernels support the layers of positions,
// colours and extra bytes.
#include "engine/io/las/las_layout.h"
#include "engine/io/las/laz/laz_chunks.h"
#include "kernels/core/execution.h"
#include "kernels/laz/chunk.h"

#include <functional>
#include <optional>
#include <span>

namespace scanloupe {

/// Plan of records that contain some of the columns of a file.
struct LazRecordPlan {
    laz::RecordShape shape;
    std::vector<std::uint32_t>
        extraBytes;   ///< [shape.extraBytes] indices of the bytes among the extra bytes of the file's records
    LasLayout layout; ///< layout of the planned records
};

/// Plans records with the columns whose targets have memory. Returns nullopt if the kernels don't support a
/// required layer. @param opaque whether to include the opaque bytes
std::optional<LazRecordPlan> planLazRecords(const LasLayout& layout, int pointFormat, const LaszipVlr& vlr,
                                            std::span<const ColumnTarget> targets, bool opaque);

/// Receives records in the layout LazRecordPlan::layout; the first record is row `firstRow`. Called from any
/// thread.
using LazRecordSink = std::function<void(const std::byte* records, std::size_t firstRow, std::size_t count)>;

/// Decodes chunks on the backend of `on`, and passes their records to `sink`. Rows count from the first point
/// of the first chunk. Returns for each chunk whether it is damaged, [chunks]; rows of damaged chunks are
/// undefined, or are not passed.
/// @throws EngineError if the file can't be read; KernelError; Cancelled
std::vector<std::uint8_t> decodeLazRecords(const InputFile& file, const LasHeader& header,
                                           const LaszipVlr& vlr, std::span<const LazChunk> chunks,
                                           const LazRecordPlan& plan, const LazRecordSink& sink,
                                           const Execution& on);

} // namespace scanloupe
