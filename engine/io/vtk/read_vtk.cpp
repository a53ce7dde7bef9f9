// Reads the points of legacy VTK files (Kitware, "VTK File Formats").
#include "engine/io/vtk/read_vtk.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/cloud_builder.h"
#include "engine/io/common/field_names.h"
#include "engine/io/common/mesh_warning.h"
#include "engine/io/common/progress_meter.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/text/text_number.h"
#include "engine/io/common/text/token_reader.h"
#include "engine/io/text/row_parser.h"
#include "engine/io/vtk/vtk_header.h"
#include "kernels/core/parallel.h"
#include "kernels/core/scalar_type.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace scanloupe {

namespace {

constexpr bool kVtkSwapped = std::endian::native == std::endian::little;
constexpr std::size_t kBlockBytes = std::size_t{1}
                                    << 18; // small enough to stay in a core's cache while it is transposed
constexpr std::size_t kMeterEvery = std::size_t{1} << 16; // rows of text between two reports of progress

std::vector<std::string> componentNames(const VtkArray& array) {
    const std::string tidy = tidyName(array.name);
    const bool colourName =
        isPackedColour(array.name) || tidy == "colors" || tidy == "colours" || tidy == "color";
    // VTK also shows byte arrays with 3 or 4 components as colours
    const bool colours = array.kind == VtkArray::Kind::colours || colourName ||
                         (array.type == ScalarType::uint8 && !array.bits);
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
                        copyColumn(block.get() + c * each, size, array.type, kVtkSwapped, targets[c], begin,
                                   end - begin);
                    meter.add((end - begin) * array.components);
                });
}

/// Like readBinary(), for an array of packed bits.
void readBits(const InputFile& file, const VtkArray& array, std::span<const ColumnTarget> targets,
              std::size_t rows, ProgressMeter& meter, const std::stop_token& stop) {
    const std::size_t components = array.components;
    parallelFor(rows, std::max<std::size_t>(1, kBlockBytes / components), stop,
                [&](std::size_t begin, std::size_t end) {
                    const std::size_t firstByte = begin * components / 8;
                    std::vector<std::byte> packed((end * components + 7) / 8 - firstByte),
                        values((end - begin) * components);
                    file.read(array.offset + firstByte, std::span(packed));
                    for (std::size_t i = 0, bit = begin * components; i < values.size(); ++i, ++bit)
                        values[i] = packed[bit / 8 - firstByte] >> (7 - bit % 8) & std::byte{1};
                    for (std::size_t c = 0; c < components; ++c)
                        copyColumn(values.data() + c, components, array.type, false, targets[c], begin,
                                   end - begin);
                    meter.add(values.size());
                });
}

/// Parses a number into the type of its array. Values that the type can't represent are clamped or rounded,
/// and counted in `issues`. Raises `decimals` to the number's count of decimals.
template <class T>
T valueOf(std::string_view word, RowIssues& issues, int& decimals) {
    const char* const end = word.data() + word.size();
    bool beyond =
        false; // whether the number is out of range of T, which a double can't decide for 64-bit types
    if constexpr (std::is_integral_v<T>) {
        T whole{};
        const auto parsed = std::from_chars(word.data(), end, whole);
        if (parsed.ptr == end && parsed.ec == std::errc())
            return whole;
        beyond = parsed.ec == std::errc::result_out_of_range;
    }
    const TextNumber number = parseNumber(word.data(), end, ' ');
    if (!number.end)
        ++issues.notNumbers;
    decimals = std::max(decimals, number.decimals);
    if constexpr (std::is_integral_v<T>) {
        constexpr T low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
        const T kept = std::isnan(number.value)                    ? T{}
                       : number.value <= static_cast<double>(low)  ? low
                       : number.value >= static_cast<double>(high) ? high
                                                                   : static_cast<T>(number.value);
        if (number.end && (beyond || static_cast<double>(kept) != number.value))
            ++issues.clamped;
        return kept;
    } else {
        return number.end ? static_cast<T>(number.value) : std::numeric_limits<T>::quiet_NaN();
    }
}

/// Reads an array of an ascii file into columns, and returns the maximum number of decimals.
int readText(const InputFile& file, const VtkArray& array, std::span<const ColumnTarget> targets,
             std::size_t rows, RowIssues& issues, ProgressMeter& meter, const std::stop_token& stop) {
    int decimals = 0;
    TokenReader reader(file, array.offset, stop);
    visitScalar(targets[0].type, [&]<class T>(std::type_identity<T>) {
        for (std::size_t row = 0; row < rows; ++row) {
            if (row % kMeterEvery == 0)
                meter.add(std::min(kMeterEvery, rows - row) * array.components);
            for (std::size_t c = 0; c < array.components; ++c) {
                const T value = valueOf<T>(reader.next(), issues, decimals);
                std::memcpy(targets[c].data + row * targets[c].stride, &value, sizeof(T));
            }
        }
    });
    return decimals;
}

} // namespace

bool beginsVtk(std::string_view head) {
    return head.starts_with("# vtk DataFile") ||
           (head.starts_with("<") && head.find("<VTKFile") != std::string_view::npos);
}

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
    RowIssues issues;
    const auto read = [&](const VtkArray& array) {
        int decimals = -1;
        if (vtk.binary && array.bits)
            readBits(file, array, targets, rows, meter, stop);
        else if (vtk.binary)
            readBinary(file, array, targets, rows, meter, stop);
        else
            decimals = readText(file, array, targets, rows, issues, meter, stop);
        targets = targets.subspan(array.components);
        return decimals;
    };
    const int decimals = read(vtk.points);
    for (const VtkArray& array : vtk.arrays)
        read(array);
    auto cloud = builder.finish(decimals, stop);
    cloud->format = std::string("VTK legacy ") + (vtk.binary ? "binary " : "text ") + vtk.version;
    warnOfFaces(*cloud, vtk.faces, vtk.facesCut);
    for (const std::string& sentence : vtk.warnings)
        cloud->warnings.push_back(sentence);
    for (const std::string& sentence : issues.sentences())
        cloud->warnings.push_back(sentence);
    if (vtk.points.whole < vtk.points.rows)
        addDamage(*cloud, truncationWarning(vtk.points.whole, vtk.points.rows));
    constexpr std::uint64_t widest = 1u << 30;
    if (vtk.dims[0] > 1 && vtk.dims[1] > 1 && vtk.dims[2] == 1 && vtk.dims[0] <= widest &&
        vtk.dims[1] <= widest && vtk.dims[0] * vtk.dims[1] == cloud->size()) {
        cloud->width = static_cast<int>(vtk.dims[0]);
        cloud->height = static_cast<int>(vtk.dims[1]);
    }
    return cloud;
}

} // namespace scanloupe
