#pragma once
// Declares the readers of LAS and LAZ point records.
#include "engine/io/common/progress_meter.h"
#include "engine/io/las/las_layout.h"

namespace scanloupe {

class AttributeSource;
struct ReadOptions;

/// Reader of the points of a file. The number of points is known before memory is allocated.
class LasPointReader {
public:
    virtual ~LasPointReader() = default;
    /// Returns the number of complete points to read (of the whole file, or a part or subsample), as far as
    /// known without decoding; at most the count in the header.
    virtual std::uint64_t count() const = 0;
    /// Returns the number of complete points in the file.
    virtual std::uint64_t total() const = 0;
    /// Returns the number of points that the part to read should have according to the file's header or
    /// index.
    virtual std::uint64_t expected() const = 0;
    /// Reads the points into a builder with count() rows. @returns the number of complete points, which are
    /// in the first rows
    /// @throws EngineError if the file can't be read; Cancelled
    virtual std::size_t fill(const LasLayout& layout, CloudBuilder& builder, const ProgressFunction& progress,
                             const std::stop_token& stop) = 0;
    /// Returns whether reading a few fields is faster than reading all fields.
    virtual bool readsFieldsAlone() const = 0;
    /// Returns a source for reading attributes of the points read by fill() later. Requires
    /// readsFieldsAlone(), and no subsample.
    virtual std::shared_ptr<const AttributeSource> attributes(const LasLayout& layout,
                                                              const CloudBuilder& builder) const = 0;

    std::vector<std::string> warnings;
    bool isPart = false;       ///< whether only a part is read, as specified by ReadOptions::octree or slice
    double viewSpacing = 0;    ///< see ViewNodes
    bool isPartOfView = false; ///< whether fewer points are read than are in the view's range
};

/// Creates a reader of uncompressed records: of all, of a slice, or of a subsample of approximately the
/// requested size.
std::unique_ptr<LasPointReader> makeLasPointReader(const InputFile& file, const LasHeader& header,
                                                   const ReadOptions& options, const std::stop_token& stop);
/// Creates a reader of compressed records: of all, of a slice, of octree nodes, or of a subsample. A
/// subsample has no points if the file can't be read in parts. @throws EngineError if the compression is
/// unknown, this build has no LASzip, or no node is in range
std::unique_ptr<LasPointReader> makeLazPointReader(const InputFile& file, const LasHeader& header,
                                                   const ReadOptions& options, const std::stop_token& stop);

} // namespace scanloupe
