// Reads the files of a survey.
#include "engine/survey/source/survey_files.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/compute/memory.h"
#include "engine/io/common/input_file.h"
#include "engine/io/las/las_header.h"
#include "engine/io/las/las_slices.h"
#include "engine/io/las/read_las.h"
#include "engine/io/scan_reader.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <optional>
#include <type_traits>

namespace scanloupe {

namespace {

ReadOptions coordinatesAlone() {
    ReadOptions options;
    options.attributes = AttributeReading::onDemand;
    return options;
}

bool isBox(const Bounds& box) {
    return isFinite(box.min) && isFinite(box.max) && min(box.min, box.max) == box.min;
}

/// Returns the parts of a LAS file according to its header: the file, or slices of it if `most` > 0 and the
/// file has more than `most` points. Empty for other formats.
std::vector<SurveyPart> partsByHeader(const InputFile& file, std::uint64_t most,
                                      const std::stop_token& stop) {
    if (!beginsLas(file.head(4)))
        return {};
    const LasHeader header = readLasHeader(file);
    if (!isBox(boxOf(header)))
        return {};
    if (most == 0 || header.points <= most)
        return {{{}, header.points, 0, boxOf(header)}};
    std::vector<SurveyPart> parts;
    for (const LasSlice& slice : lasSlices(file, header, most, stop))
        parts.push_back({{}, slice.points, 0, slice.bounds});
    return parts;
}

/// A file without the requested attributes. The file is not damaged, but the request is wrong.
class UnfitAttributes : public EngineError {
public:
    using EngineError::EngineError;
};

/// Returns the names of a scan's attributes as text: "intensity, time".
std::string namesOf(const PointCloud& cloud) {
    std::vector<std::string> names;
    for (const Attribute& attribute : cloud.attributes())
        names.push_back(attribute.name);
    return names.empty() ? "no attributes, only coordinates" : fmt::format("{}", fmt::join(names, ", "));
}

bool hasShortIntegers(ScalarType type) {
    return type < ScalarType::float32 && sizeOf(type) <= 2;
}

/// Collects the common types and limits of the requested attributes over all files.
class AttributeSurvey {
public:
    explicit AttributeSurvey(const std::vector<std::string>& names) {
        const auto add = [this](const std::string& name) {
            if (std::ranges::find(m_names, name) == m_names.end())
                m_names.push_back(name);
        };
        constexpr std::array colours{"red", "green", "blue"};
        const auto isWanted = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
        m_hasColours = isWanted("rgb") || std::ranges::all_of(colours, isWanted);
        if (m_hasColours)
            std::ranges::for_each(colours, add);
        for (const std::string& name : names)
            if (name != "rgb")
                add(name);
        m_found.list.resize(m_names.size());
        m_hasNumbers.resize(m_names.size());
        for (const std::string& name : m_names)
            checkName(name);
    }

    /// Adds a file. @param cloud content of the file if it was already read @param slices number of slices of
    /// up to `most` points; 0 or 1: the file is read as a whole @throws UnfitAttributes; EngineError;
    /// Cancelled
    void add(const std::filesystem::path& path, const std::shared_ptr<const PointCloud>& cloud,
             std::size_t slices, std::uint64_t most, const std::stop_token& stop) {
        if (m_names.empty())
            return;
        if (cloud)
            return include(path, *cloud, stop);
        constexpr std::size_t few = 20'000; // number of points to sample
        const auto sample = readScanSubsample(path, few, coordinatesAlone(), stop);
        if (sample && std::ranges::all_of(attributesOf(path, *sample), [](const Attribute* attribute) {
                return hasShortIntegers(attribute->type);
            }))
            return include(path, *sample, stop);
        for (std::size_t slice = 0; slice < std::max<std::size_t>(slices, 1); ++slice) {
            ReadOptions options = coordinatesAlone();
            if (slices > 1)
                options.slice = FileSlice{slice, most};
            include(path, *readScan(path, options, stop), stop);
        }
        m_bytesRead += std::filesystem::file_size(path);
    }
    /// @throws EngineError for too many classes
    SurveyAttributes result() const {
        for (const SurveyAttribute& attribute : m_found.list)
            if (attribute.isClasses)
                classesOf(attribute);
        return m_found;
    }
    std::uint64_t bytesRead() const { return m_bytesRead; }

private:
    void include(const std::filesystem::path& path, const PointCloud& cloud, const std::stop_token& stop) {
        const std::vector<const Attribute*> attributes = attributesOf(path, cloud);
        cloud.load(attributes, stop);
        for (std::size_t a = 0; a < attributes.size(); ++a)
            include(m_found.list[a], m_hasNumbers[a], *attributes[a], cloud, path);
        if (const auto range = m_hasColours ? cloud.colourRange() : std::nullopt)
            m_found.colours = m_found.colours ? ValueRange{std::min(range->min, m_found.colours->min),
                                                           std::max(range->max, m_found.colours->max)}
                                              : *range;
    }
    /// @throws UnfitAttributes for names that vertices use for something else, or that mesh files can't
    ///     distinguish from another requested name
    void checkName(const std::string& name) const {
        constexpr std::array taken{"x", "y", "z", "normal_x", "normal_y", "normal_z", "alpha", ""};
        constexpr std::array colours{"red", "green", "blue"};
        const auto isEqual = [&](const std::string& other) { return plainName(other) == plainName(name); };
        if (std::ranges::find(taken, name) != taken.end() ||
            (!m_hasColours && std::ranges::find(colours, name) != colours.end()) ||
            std::ranges::count_if(m_names, isEqual) > 1)
            throw UnfitAttributes(fmt::format("'{}' can't be stored as an attribute of the vertices: the "
                                              "name is reserved, or equal to another requested one.",
                                              name),
                                  "Name each attribute once in --tile-attributes. For colours use rgb; "
                                  "normals are computed "
                                  "from the surface.");
    }
    std::vector<const Attribute*> attributesOf(const std::filesystem::path& path,
                                               const PointCloud& cloud) const {
        std::vector<const Attribute*> attributes;
        for (const std::string& name : m_names) {
            attributes.push_back(cloud.attribute(name));
            if (!attributes.back())
                throw UnfitAttributes(
                    fmt::format("The scan '{}' has no attribute '{}'.", path.filename().string(), name),
                    fmt::format("Remove it from --tile-attributes, or leave this scan out. The scan has {}.",
                                namesOf(cloud)));
        }
        return attributes;
    }
    /// Extends the known type and range of an attribute by those of a file. @param isKnown whether a previous
    /// file had finite values
    static void include(SurveyAttribute& known, bool& isKnown, const Attribute& attribute,
                        const PointCloud& cloud, const std::filesystem::path& path) {
        ValueRange range{attribute.min(), attribute.max()};
        if (hasShortIntegers(attribute.type)) // the type's full range, since only a sample of the values was
                                              // read
            visitScalar(attribute.type, [&]<class T>(std::type_identity<T>) {
                range = {double(std::numeric_limits<T>::lowest()), double(std::numeric_limits<T>::max())};
            });
        const bool hasNumbers = attribute.notFinite() < cloud.size();
        if (known.name.empty())
            known = {attribute.name, attribute.type, range, isCategorical(attribute)};
        else if (known.type != attribute.type)
            throw UnfitAttributes(
                fmt::format("Attribute '{1}' has type {2} in '{0}', but {3} in other scans.",
                            path.filename().string(), attribute.name, nameOf(attribute.type),
                            nameOf(known.type)),
                "Convert all scans to the same type (scanloupe-cli convert), or remove the attribute from "
                "--tile-attributes.");
        else if (hasNumbers && isKnown)
            known.range = {std::min(known.range.min, range.min), std::max(known.range.max, range.max)};
        else if (hasNumbers)
            known.range = range;
        isKnown = isKnown || hasNumbers;
    }

    std::vector<std::string> m_names;
    SurveyAttributes m_found;
    std::uint64_t m_bytesRead = 0;
    std::deque<bool> m_hasNumbers; ///< [attributes] whether any file had finite values
    bool m_hasColours = false;
};

} // namespace

SurveyFiles::SurveyFiles(const std::vector<std::filesystem::path>& files,
                         const std::vector<std::string>& attributes, std::uint64_t most,
                         const ProgressFunction& progress, const std::stop_token& stop) {
    AttributeSurvey found(attributes);
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (progress)
            progress(double(i) / double(files.size()));
        const std::filesystem::path& path = files[i];
        const std::string name = path.filename().string();
        try {
            const InputFile file(path);
            std::shared_ptr<const PointCloud> cloud;
            std::vector<SurveyPart> parts = partsByHeader(file, most, stop);
            if (parts.empty()) {
                cloud = readScan(path, coordinatesAlone(), stop);
                parts.push_back({name, cloud->size(), 0, cloud->bounds()});
                m_bytesReadBefore += file.size();
            }
            std::uint64_t points = 0;
            for (const SurveyPart& part : parts)
                points += part.points;
            if (points == 0)
                continue;
            found.add(path, cloud, parts.size(), most, stop);
            for (std::size_t slice = 0; slice < parts.size(); ++slice) {
                SurveyPart& part = parts[slice];
                part.name =
                    parts.size() == 1 ? name : fmt::format("{} ({} of {})", name, slice + 1, parts.size());
                part.bytes = std::uint64_t(double(file.size()) * double(part.points) / double(points));
                part.written = file.written();
                m_parts.push_back(part);
                m_paths.push_back(path);
                m_slices.push_back(parts.size() == 1 ? std::nullopt : std::optional(FileSlice{slice, most}));
            }
        } catch (const UnfitAttributes&) {
            throw;
        } catch (const HostMemoryShort&) {
            throw;
        } catch (const Error& error) {
            m_refused.push_back({name, error.what()});
        }
    }
    if (m_parts.empty())
        throw EngineError(
            m_refused.empty()
                ? fmt::format("The {} files of the survey have no points.", files.size())
                : fmt::format("None of the {} files of the survey can be read. The first one: {}",
                              files.size(), m_refused.front().why),
            "Name the scans, or the folder with the scans.");
    m_attributes = found.result();
    m_bytesReadBefore += found.bytesRead();
}

std::vector<std::string> SurveyFiles::read(std::size_t part, const Use& use,
                                           const std::stop_token& stop) const {
    ReadOptions options = coordinatesAlone();
    options.slice = m_slices[part];
    const auto cloud = readScan(m_paths[part], options, stop);
    std::vector<const Attribute*> attributes;
    for (const SurveyAttribute& known : m_attributes.list) {
        attributes.push_back(cloud->attribute(known.name));
        if (!attributes.back() || attributes.back()->type != known.type)
            throw EngineError(
                "The file has changed since the job started: an attribute is missing or has another type.",
                "Run the job again when no other program writes to the file.");
    }
    cloud->load(attributes, stop);
    std::vector<Vec3d> piece(std::min(cloud->size(), kSurveyPiecePoints));
    for (std::size_t first = 0; first < cloud->size(); first += kSurveyPiecePoints) {
        const std::size_t count = std::min(kSurveyPiecePoints, cloud->size() - first);
        parallelFor(count, 1 << 14, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                piece[i] = cloud->position(first + i);
        });
        SurveyPiece given{std::span<const Vec3d>(piece).first(count)};
        for (const Attribute* attribute : attributes)
            given.values.push_back(attribute->data() + first * sizeOf(attribute->type));
        use(given);
    }
    std::vector<std::string> warnings = cloud->warnings;
    std::ranges::copy(cloud->loadWarnings(), std::back_inserter(warnings));
    return warnings;
}

} // namespace scanloupe
