// Maps names of LAS fields and extra bytes to attribute names, and back.
#include "engine/io/las/las_names.h"

#include "engine/io/common/field_names.h"
#include "engine/io/common/write/column_names.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <set>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxNameBytes = 32;
/// Further names of standard fields in laspy and PDAL.
constexpr const char* kOtherNames[] = {"X",
                                       "Y",
                                       "Z",
                                       "time",
                                       "nir",
                                       "infrared",
                                       "bit_fields",
                                       "flag_byte",
                                       "raw_classification",
                                       "classification_flags",
                                       "wavepacket_index",
                                       "wavepacket_offset",
                                       "wavepacket_size",
                                       "return_point_wave_location",
                                       "x_t",
                                       "y_t",
                                       "z_t"};

const std::set<std::string>& standardNames() {
    static const std::set<std::string> names = [] {
        std::set<std::string> all(std::begin(kOtherNames), std::end(kOtherNames));
        for (const int format : {5, 10}) // together, these two formats have all fields
            for (const LasColumn& column : lasStandardColumns(format))
                all.insert(column.name);
        return all;
    }();
    return names;
}

/// Truncates `text` to at most `most` bytes at a character boundary of UTF-8.
std::string cutText(const std::string& text, std::size_t most) {
    std::size_t size = std::min(text.size(), most);
    while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80)
        --size;
    return text.substr(0, size);
}

} // namespace

void nameLasColumns(std::vector<LasColumn>& standard, const std::vector<LasColumn>& extra) {
    std::set<std::string> extraNames;
    for (const LasColumn& column : extra)
        extraNames.insert(column.name);
    for (LasColumn& column : standard) {
        const std::string canonical = canonicalNames({column.name})[0];
        const bool isCoordinate = column.name.size() == 1;
        const bool gives = extraNames.contains(canonical) || extraNames.contains(column.name);
        column.name = gives && !isCoordinate ? displacedLasName(column.name) : canonical;
    }
}

std::vector<std::string> extraLasNames(const std::vector<std::string>& names) {
    constexpr const char* behind = "_exact";
    std::vector<std::string> wanted;
    wanted.reserve(names.size());
    for (const std::string& name : names)
        wanted.push_back(standardNames().contains(name) ? name + behind : name);
    const auto fitted = [](const std::string& name) {
        return name.empty() ? std::string("unnamed") : cutText(name, kMaxNameBytes);
    };
    std::vector<std::string> unique = detail::uniqueNames(wanted, fitted, {}, "");
    // The limit includes the number that makes a long name unique.
    for (std::size_t i = 0; i < unique.size(); ++i)
        for (int number = 2; unique[i].size() > kMaxNameBytes; ++number) {
            const std::string end = "_" + std::to_string(number);
            const std::string shorter = cutText(unique[i], kMaxNameBytes - end.size()) + end;
            if (std::find(unique.begin(), unique.end(), shorter) == unique.end())
                unique[i] = shorter;
        }
    return unique;
}

std::string displacedLasName(const std::string& name) {
    return "las_" + name;
}

} // namespace scanloupe
