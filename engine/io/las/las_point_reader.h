#pragma once
// Declares the readers of LAS and LAZ point records.
#include "engine/cloud/attribute.h"
#include "engine/io/common/progress_meter.h"
#include "engine/io/common/read_options.h"
#include "engine/io/las/las_layout.h"

namespace scanloupe {

/// Reads the points of a file. Their number is known before memory for them is allocated.
class LasPointReader {
public:
    virtual ~LasPointReader() = default;
    /// Number of complete points that are read, all of the file or a subsample, as far as it is known without
    /// decoding; at most the claimed count.
    virtual std::uint64_t count() const = 0;
    /// The same of the file.
    virtual std::uint64_t total() const = 0;
    /// Where a part is read: the points that it should have.
    virtual std::uint64_t expected() const = 0;
    /// Fills the builder, which has count() rows, and gives the number of complete points, which are its
    /// first rows.
    /// @throws EngineError when the file can't be read; Cancelled
    virtual std::size_t fill(const LasLayout& layout, CloudBuilder& builder, const ProgressFunction& progress,
                             const std::stop_token& stop) = 0;
    /// Whether some fields can be read without the others, in less time than all of them.
    virtual bool readsFieldsAlone() const = 0;
    /// The attributes of the points that fill() has read into `builder`, to read them later. Only where
    /// fields can be read alone, and without a subsample.
    virtual std::shared_ptr<const AttributeSource> attributes(const LasLayout& layout,
                                                              const CloudBuilder& builder) const = 0;

    std::vector<std::string> warnings;
    bool isPart = false;       ///< only some points are read, as ReadOptions::octree or slice say
    double viewSpacing = 0;    ///< as of ViewNodes
    bool isPartOfView = false; ///< of these, fewer than there are in the view's range
};

/// Reader of uncompressed records: of all, of a slice, or of a subsample of about so many.
std::unique_ptr<LasPointReader> makeLasPointReader(const InputFile& file, const LasHeader& header,
                                                   const ReadOptions& options, const std::stop_token& stop);
/// Reader of compressed records: of all, of a slice, of nodes of an octree, or of a subsample, which has no
/// points where the file can't be read in parts. @throws EngineError when the compression is unknown, this
/// build has no LASzip, or no node is in range
std::unique_ptr<LasPointReader> makeLazPointReader(const InputFile& file, const LasHeader& header,
                                                   const ReadOptions& options, const std::stop_token& stop);

} // namespace scanloupe
