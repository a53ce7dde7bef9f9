#pragma once
// Declares the decoding of layered LAZ chunks by the kernels, which support the layers of positions, colours
// and extra bytes.
#include "engine/io/las/las_layout.h"
#include "engine/io/las/laz/laz_chunks.h"
#include "kernels/core/execution.h"
#include "kernels/laz/chunk.h"

#include <functional>
#include <optional>
#include <span>

namespace scanloupe {

/// Records with some of the columns of a file.
struct LazRecordPlan {
    laz::RecordShape shape;
    std::vector<std::uint32_t> extraBytes; ///< [shape.extraBytes] their numbers in the file's records
    LasLayout layout;                      ///< layout of these records
};

/// The records with the columns whose targets have memory, and with `opaque` the opaque bytes. None where one
/// of them is in a layer that the kernels don't support.
std::optional<LazRecordPlan> planLazRecords(const LasLayout& layout, int pointFormat, const LaszipVlr& vlr,
                                            std::span<const ColumnTarget> targets, bool opaque);

/// Receives records of LazRecordPlan::layout from row `firstRow` on, from any thread.
using LazRecordSink = std::function<void(const std::byte* records, std::size_t firstRow, std::size_t count)>;

/// Decodes chunks where `on` computes, and passes their records to `sink`: those of the first chunk are row 0
/// and up. Returns for each chunk whether it is damaged; its rows are then undefined, or were not passed.
/// @throws EngineError when the file can't be read; KernelError; Cancelled
std::vector<std::uint8_t> decodeLazRecords(const InputFile& file, const LasHeader& header,
                                           const LaszipVlr& vlr, std::span<const LazChunk> chunks,
                                           const LazRecordPlan& plan, const LazRecordSink& sink,
                                           const Execution& on);

} // namespace scanloupe
