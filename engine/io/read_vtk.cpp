#include "engine/io/read_vtk.h"

#include "engine/cloud/scalar_visit.h"
#include "engine/io/cloud_builder.h"
#include "engine/io/field_names.h"
#include "engine/io/mesh_note.h"
#include "engine/io/progress_meter.h"
#include "engine/io/text_number.h"
#include "engine/io/token_reader.h"
#include "engine/io/vtk_header.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace scanloupe {

namespace {

constexpr bool kSwapped = std::endian::native == std::endian::little;
constexpr std::size_t kBlockBytes = std::size_t{1}
                                    << 18; // stays in a core's cache while columns are picked out
constexpr std::size_t kStopEvery = std::size_t{1} << 16; // rows of text between two looks at the stop token

std::vector<std::string> componentNames(const VtkArray& array) {
    const std::string tidy = tidyName(array.name);
    const bool colourName =
        isPackedColour(array.name) || tidy == "colors" || tidy == "colours" || tidy == "color";
    // VTK itself shows bytes in threes and fours as colours
    const bool colours =
        array.kind == VtkArray::Kind::colours || colourName || array.type == ScalarType::uint8;
    const bool normals = array.kind == VtkArray::Kind::normals || tidy == "normals";
    if (colours && array.components == 3)
        return {"red", "green", "blue"};
    if (colours && array.components == 4)
        return {"red", "green", "blue", "alpha"};
    if (normals && array.components == 3)
        return {"nx", "ny", "nz"};
    std::vector<std::string> names;
    for (std::size_t c = 0; c < array.components; ++c)
        names.push_back(componentName(array.name, c, array.components));
    return names;
}

std::vector<Field> fieldsOf(const VtkFile& vtk) {
    const ScalarType coordinate = vtk.binary ? vtk.points.type : ScalarType::float64;
    std::vector<Field> fields = {{"x", coordinate}, {"y", coordinate}, {"z", coordinate}};
    for (const VtkArray& array : vtk.arrays)
        for (std::string& name : componentNames(array))
            fields.push_back({std::move(name), array.type});
    return fields;
}

void readBinary(const InputFile& file, const VtkArray& array, std::span<const ColumnTarget> targets,
                std::size_t rows, ProgressMeter& meter, const std::stop_token& stop) {
    const std::size_t each = sizeOf(array.type), size = each * array.components;
    parallelFor(rows, std::max<std::size_t>(1, kBlockBytes / size), stop,
                [&](std::size_t begin, std::size_t end) {
                    const auto block = std::make_unique_for_overwrite<std::byte[]>((end - begin) * size);
                    file.read(array.offset + begin * size, std::span(block.get(), (end - begin) * size));
                    for (std::size_t c = 0; c < array.components; ++c)
                        copyColumn(block.get() + c * each, size, array.type, kSwapped, targets[c], begin,
                                   end - begin);
                    meter.add((end - begin) * array.components);
                });
}

/// What words of text held.
struct TextIssues {
    int decimals = 0;
    std::uint64_t notNumbers = 0;
};

template <class T>
T valueOf(std::string_view word, TextIssues& issues) {
    const char* const end = word.data() + word.size();
    if constexpr (std::is_integral_v<T>) {
        T whole{};
        if (const auto parsed = std::from_chars(word.data(), end, whole);
            parsed.ptr == end && parsed.ec == std::errc())
            return whole;
    }
    const TextNumber number = parseNumber(word.data(), end, ' ');
    issues.notNumbers += number.end ? 0 : 1;
    issues.decimals = std::max(issues.decimals, number.decimals);
    if constexpr (std::is_integral_v<T>) {
        if (std::isnan(number.value) || number.value <= static_cast<double>(std::numeric_limits<T>::lowest()))
            return std::isnan(number.value) ? T{} : std::numeric_limits<T>::lowest();
        return number.value >= static_cast<double>(std::numeric_limits<T>::max())
                   ? std::numeric_limits<T>::max()
                   : static_cast<T>(number.value);
    } else {
        return number.end ? static_cast<T>(number.value) : std::numeric_limits<T>::quiet_NaN();
    }
}

TextIssues readText(const InputFile& file, const VtkArray& array, std::span<const ColumnTarget> targets,
                    std::size_t rows, ProgressMeter& meter, const std::stop_token& stop) {
    TextIssues issues;
    TokenReader reader(file, array.offset);
    visitScalar(targets[0].type, [&]<class T>(std::type_identity<T>) {
        for (std::size_t row = 0; row < rows; ++row) {
            if (row % kStopEvery == 0) {
                if (stop.stop_requested())
                    throw Cancelled();
                meter.add(std::min(kStopEvery, rows - row) * array.components);
            }
            for (std::size_t c = 0; c < array.components; ++c) {
                const T value = valueOf<T>(reader.next(), issues);
                std::memcpy(targets[c].data + row * targets[c].stride, &value, sizeof(T));
            }
        }
    });
    return issues;
}

} // namespace

std::shared_ptr<const PointCloud> readVtk(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop) {
    const VtkFile vtk = readVtkStructure(file, stop);
    const auto rows = static_cast<std::size_t>(vtk.points.whole);
    if (rows == 0 && vtk.points.rows > 0)
        throwNothingWhole(file, vtk.points.rows);
    const std::vector<Field> fields = fieldsOf(vtk);
    CloudBuilder builder(file, fields, rows);
    ProgressMeter meter(options.progress, fields.size() * rows);
    std::span<const ColumnTarget> targets = builder.targets();
    TextIssues coordinates, values;
    const auto read = [&](const VtkArray& array, TextIssues& issues) {
        if (vtk.binary) {
            readBinary(file, array, targets, rows, meter, stop);
        } else {
            const TextIssues found = readText(file, array, targets, rows, meter, stop);
            issues.decimals = std::max(issues.decimals, found.decimals);
            issues.notNumbers += found.notNumbers;
        }
        targets = targets.subspan(array.components);
    };
    read(vtk.points, coordinates);
    for (const VtkArray& array : vtk.arrays)
        read(array, values);
    auto cloud = builder.finish(vtk.binary ? -1 : coordinates.decimals, stop);
    cloud->format = std::string("VTK legacy ") + (vtk.binary ? "binary " : "text ") + vtk.version;
    noteFaces(*cloud, vtk.faces, vtk.facesCut);
    for (const std::string& sentence : vtk.warnings)
        cloud->warnings.push_back(sentence);
    if (const std::uint64_t odd = coordinates.notNumbers + values.notNumbers; odd > 0)
        cloud->warnings.push_back(std::to_string(odd) + " values are no numbers and count as missing.");
    if (vtk.points.whole < vtk.points.rows)
        cloud->warnings.push_back(truncationWarning(vtk.points.whole, vtk.points.rows));
    constexpr std::uint64_t widest = 1u << 30;
    if (vtk.dims[0] > 1 && vtk.dims[1] > 1 && vtk.dims[2] == 1 && vtk.dims[0] <= widest &&
        vtk.dims[1] <= widest && vtk.dims[0] * vtk.dims[1] == cloud->size()) {
        cloud->width = static_cast<int>(vtk.dims[0]);
        cloud->height = static_cast<int>(vtk.dims[1]);
    }
    return cloud;
}

} // namespace scanloupe
