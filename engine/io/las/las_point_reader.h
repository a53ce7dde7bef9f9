#pragma once
// Declares the readers of LAS and LAZ point records.
#include "engine/io/common/progress_meter.h"
#include "engine/io/las/las_layout.h"

namespace scanloupe {

class AttributeSource;
struct ReadOptions;

/// Reads the points of a file. Their number is known before memory for them is allocated.
class LasPointReader {
public:
    virtual ~LasPointReader() = default;
    /// Number of complete points to read, of the whole file or of a subsample, as far as it is known without
    /// decoding; at most the claimed count.
    virtual std::uint64_t count() const = 0;
    /// The same of the file.
    virtual std::uint64_t total() const = 0;
    /// Where a part is read: the points that it should have.
    virtual std::uint64_t expected() const = 0;
    /// Fills the builder, which has count() rows, and returns the number of complete points, which are its
    /// first rows.
    /// @throws EngineError when the file can't be read; Cancelled
    virtual std::size_t fill(const LasLayout& layout, CloudBuilder& builder, const ProgressFunction& progress,
                             const std::stop_token& stop) = 0;
    /// Whether reading some fields is faster than reading all of them.
    virtual bool readsFieldsAlone() const = 0;
    /// The attributes of the points that fill() has read into `builder`, to read them later. Only where
    /// fields can be read alone, and without a subsample.
    virtual std::shared_ptr<const AttributeSource> attributes(const LasLayout& layout,
                                                              const CloudBuilder& builder) const = 0;

    std::vector<std::string> warnings;
    bool isPart = false;       ///< only some points are read, as ReadOptions::octree or slice say
    double viewSpacing = 0;    ///< see ViewNodes
    bool isPartOfView = false; ///< fewer points than the view's range holds
};

/// Reader of uncompressed records: of all, of a slice, or of a subsample of approximately the requested size.
std::unique_ptr<LasPointReader> makeLasPointReader(const InputFile& file, const LasHeader& header,
                                                   const ReadOptions& options, const std::stop_token& stop);
/// Reader of compressed records: of all, of a slice, of nodes of an octree, or of a subsample, which has no
/// points where the file can't be read in parts. @throws EngineError when the compression is unknown, this
/// build has no LASzip, or no node is in range
std::unique_ptr<LasPointReader> makeLazPointReader(const InputFile& file, const LasHeader& header,
                                                   const ReadOptions& options, const std::stop_token& stop);

} // namespace scanloupe
