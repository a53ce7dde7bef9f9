// Parses the structure of legacy VTK files (Kitware, "VTK File Formats").
#include "engine/io/vtk/vtk_header.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/io/common/named_file.h"
#include "engine/io/common/text/token_reader.h"
#include "engine/io/text/text_tokens.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace scanloupe {

namespace {

constexpr std::uint64_t kMaxComponents = 1024; // maximum number of components of an array
constexpr std::uint64_t kMaxVtkColumns = 4096; // maximum number of components of all arrays together
constexpr std::size_t kMaxWarnings = 10;
constexpr std::uint64_t kStopEvery = std::uint64_t{1} << 16; // cells between two polls of the stop token

std::string upper(std::string_view word) {
    std::string text(word);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::optional<ScalarType> typeOf(const std::string& word) {
    static const std::map<std::string, ScalarType> table = {
        {"CHAR", ScalarType::int8},
        {"SIGNED_CHAR", ScalarType::int8},
        {"UNSIGNED_CHAR", ScalarType::uint8},
        {"SHORT", ScalarType::int16},
        {"UNSIGNED_SHORT", ScalarType::uint16},
        {"INT", ScalarType::int32},
        {"UNSIGNED_INT", ScalarType::uint32},
        {"LONG", ScalarType::int64},
        {"UNSIGNED_LONG", ScalarType::uint64},
        {"VTKTYPEINT64", ScalarType::int64},
        {"VTKTYPEUINT64", ScalarType::uint64},
        {"VTKIDTYPE", ScalarType::int32}, // legacy files store ids as int
        {"FLOAT", ScalarType::float32},
        {"DOUBLE", ScalarType::float64}};
    const auto found = table.find(upper(word));
    return found == table.end() ? std::nullopt : std::optional(found->second);
}

/// Sets the array's type; returns false if the word is not a type.
bool setType(VtkArray& array, const std::string& word) {
    array.bits = upper(word) == "BIT";
    const auto type = array.bits ? ScalarType::uint8 : typeOf(word);
    array.type = type.value_or(array.type);
    return type.has_value();
}

/// Decodes the percent encoding (%20) that newer versions of VTK use for blanks and other characters in
/// names. Other names are returned unchanged.
std::string decodedName(const std::string& name) {
    return percentDecoded(name).value_or(name);
}

/// Returns whether a word may be a number. Any other word ends an array that has fewer values than its header
/// specifies.
bool mayBeNumber(std::string_view word) {
    if (!std::isalpha(static_cast<unsigned char>(word[0])))
        return true;
    const std::string text = upper(word);
    return text == "NAN" || text == "INF" || text == "INFINITY";
}

class VtkParser {
public:
    VtkParser(const InputFile& file, const std::stop_token& stop)
        : m_file(file), m_stop(stop), m_reader(file, 0, stop) {}

    VtkFile parse() {
        readHeader();
        bool more = true;
        while (more) {
            const std::string keyword = upper(m_reader.next());
            more = !keyword.empty() && readSection(keyword);
        }
        if (m_found.points.components != 3)
            refuse("has no section POINTS", "Save it as legacy VTK PolyData with its points, or as PLY.");
        return std::move(m_found);
    }

private:
    [[noreturn]] void refuse(const std::string& what, const std::string& nextStep) const {
        throw EngineError(fmt::format("the VTK file '{}' {}", m_file.name(), what), nextStep);
    }
    [[noreturn]] void refuseLine(const std::string& keyword) const {
        refuse(fmt::format("has an invalid section '{}'", keyword.substr(0, 40)),
               "The file is damaged or was written incorrectly. Export it again.");
    }

    void readHeader() {
        const std::string first(m_reader.line());
        if (!first.starts_with("# vtk DataFile"))
            refuse(first.find('<') != std::string::npos ? "has an XML format of VTK, which is unsupported"
                                                        : "does not begin with '# vtk DataFile'",
                   "Save it as legacy VTK (.vtk) or PLY, for example with ParaView.");
        const auto version = first.find_last_of(' ');
        m_found.version = version == std::string::npos ? "" : first.substr(version + 1, 8);
        m_reader.line(); // skips the title
        const std::string encoding = upper(m_reader.next());
        if (encoding != "ASCII" && encoding != "BINARY")
            refuse(
                fmt::format("has '{}' instead of ASCII or BINARY in its third line", encoding.substr(0, 40)),
                "Save it again as legacy VTK, or as PLY.");
        m_found.binary = encoding == "BINARY";
    }

    std::uint64_t readCount(const std::string& keyword) {
        const std::string word(m_reader.next());
        if (!isCount(word))
            refuseLine(keyword);
        return std::stoull(word);
    }

    /// Returns the tokens up to the end of the current line.
    std::vector<std::string> restOfLine() { return splitTokens(m_reader.line(), ' '); }

    /// Skips `rows` rows of numbers; returns the number of rows that are complete in the file.
    std::uint64_t skipRows(std::uint64_t rows, std::uint64_t bytesEach, std::uint64_t components) {
        if (m_found.binary) {
            const std::uint64_t left = m_file.size() - std::min(m_file.size(), m_reader.position());
            const std::uint64_t whole = bytesEach == 0 ? rows : std::min(rows, left / bytesEach);
            m_reader.seek(whole < rows ? m_file.size() : m_reader.position() + whole * bytesEach);
            return whole;
        }
        for (std::uint64_t row = 0; row < rows; ++row) {
            for (std::uint64_t c = 0; c < components; ++c) {
                const std::uint64_t before = m_reader.position();
                const std::string_view word = m_reader.next();
                if (word.empty())
                    return row;
                if (!mayBeNumber(word)) {
                    m_reader.seek(before);
                    return row;
                }
            }
        }
        return rows;
    }

    /// Like skipRows(), for packed bits of a binary file.
    std::uint64_t skipBits(std::uint64_t rows, std::uint64_t components) {
        const std::uint64_t left = m_file.size() - std::min(m_file.size(), m_reader.position());
        const std::uint64_t whole = std::min(rows, 8 * left / components);
        m_reader.seek(whole < rows ? m_file.size() : m_reader.position() + (rows * components + 7) / 8);
        return whole;
    }

    /// Adds the array that begins at the current position. Returns false if a binary file ends within the
    /// array, so that nothing can follow.
    bool addArray(VtkArray array, bool ofPoints) {
        if (array.components == 0 || array.components > kMaxComponents)
            refuseLine(array.name);
        array.offset = m_reader.position();
        array.whole = array.bits && m_found.binary
                          ? skipBits(array.rows, array.components)
                          : skipRows(array.rows, array.components * sizeOf(array.type), array.components);
        const bool whole = array.whole == array.rows;
        if (array.kind == VtkArray::Kind::points)
            m_found.points = array;
        else if (ofPoints && whole && array.rows == m_found.points.rows)
            keepArray(array);
        else if (ofPoints && m_found.warnings.size() < kMaxWarnings)
            m_found.warnings.push_back(
                damageWarning(fmt::format("The array '{}' was left out: it has values for {} of {} points.",
                                          array.name, array.whole, m_found.points.rows)));
        return whole || !m_found.binary;
    }

    void keepArray(const VtkArray& array) {
        m_columns += array.components;
        if (m_columns > kMaxVtkColumns)
            refuse(fmt::format("has {} values per point, more than the maximum of {}", m_columns,
                               kMaxVtkColumns),
                   "Save it with only the values that you need, for example with ParaView.");
        m_found.arrays.push_back(array);
    }

    bool readSection(const std::string& keyword) {
        if (keyword == "DATASET") {
            m_found.dataset = upper(m_reader.next());
            if (m_found.dataset == "STRUCTURED_POINTS" || m_found.dataset == "RECTILINEAR_GRID")
                refuse("is an image or a grid without explicit points (" + m_found.dataset + ")",
                       "Export its values as a raw volume, or its points as PolyData, for example with "
                       "ParaView.");
        } else if (keyword == "DIMENSIONS") {
            for (std::uint64_t& size : m_found.dims)
                size = readCount(keyword);
        } else if (keyword == "POINTS") {
            return readPoints();
        } else if (keyword == "POINT_DATA" || keyword == "CELL_DATA") {
            m_rows = readCount(keyword);
            m_ofPoints = keyword == "POINT_DATA";
            m_reader.line();
        } else if (keyword == "METADATA") {
            m_reader.line();
            while (m_reader.position() < m_file.size() && !restOfLine().empty()) {
            }
        } else {
            return isCellSection(keyword) ? readCells(keyword) : readAttribute(keyword);
        }
        return true;
    }

    bool readPoints() {
        VtkArray points;
        points.kind = VtkArray::Kind::points;
        points.rows = readCount("POINTS");
        points.components = 3;
        const auto type = typeOf(std::string(m_reader.next()));
        if (!type || m_found.points.components == 3)
            refuseLine("POINTS");
        points.type = *type;
        m_reader.line();
        return addArray(points, true);
    }

    static bool isCellSection(const std::string& keyword) {
        static const std::set<std::string> known = {"VERTICES", "LINES",   "POLYGONS",     "TRIANGLE_STRIPS",
                                                    "CELLS",    "OFFSETS", "CONNECTIVITY", "CELL_TYPES"};
        return known.contains(keyword);
    }

    bool readCells(const std::string& keyword) {
        if (keyword == "OFFSETS" || keyword == "CONNECTIVITY") { // only in file version 5
            const auto type = typeOf(std::string(m_reader.next()));
            if (!type)
                refuseLine(keyword);
            m_reader.line();
            const std::uint64_t values = keyword == "OFFSETS" ? m_cells : m_connectivitySize;
            return skipConnectivity(values, sizeOf(*type));
        }
        m_cells = readCount(keyword);
        if (keyword == "CELL_TYPES") {
            m_reader.line();
            return readCellTypes();
        }
        m_connectivitySize = readCount(keyword);
        m_reader.line();
        const std::uint64_t body = m_reader.position();
        // in file version 5, the first count is the number of cells plus one
        const bool isVersion5 = upper(m_reader.next()) == "OFFSETS";
        m_reader.seek(body);
        if (keyword == "POLYGONS" || keyword == "TRIANGLE_STRIPS" || keyword == "CELLS")
            m_found.faces += m_cells - (isVersion5 && m_cells > 0 ? 1 : 0);
        return isVersion5 || skipConnectivity(m_connectivitySize, 4);
    }

    /// Skips indices of cells. Returns false if a binary file ends within them, so that nothing can follow.
    bool skipConnectivity(std::uint64_t values, std::uint64_t bytesEach) {
        const bool whole = skipRows(values, bytesEach, 1) == values;
        m_found.facesCut = m_found.facesCut || !whole;
        return whole || !m_found.binary;
    }

    /// Subtracts points and lines (cell types 1 to 4) from the number of faces. Returns false if a binary
    /// file ends within the types.
    bool readCellTypes() {
        const std::uint64_t body = m_reader.position();
        const std::uint64_t whole = skipRows(m_cells, 4, 1);
        const std::uint64_t end = m_reader.position();
        m_reader.seek(body);
        BlockReader words(m_file, body);
        for (std::uint64_t i = 0; i < whole; ++i) {
            if (i % kStopEvery == 0 && m_stop.stop_requested())
                throw Cancelled();
            const std::byte* bytes = m_found.binary ? words.read(4) : nullptr; // big endian
            const std::string word(m_found.binary ? std::string_view() : m_reader.next());
            const bool point = m_found.binary ? bytes[0] == bytes[1] && bytes[1] == bytes[2] &&
                                                    bytes[2] == std::byte(0) && bytes[3] <= std::byte(4)
                                              : word == "1" || word == "2" || word == "3" || word == "4";
            m_found.faces -= point && m_found.faces > 0 ? 1 : 0;
        }
        m_reader.seek(end);
        return whole == m_cells || !m_found.binary;
    }

    bool readAttribute(const std::string& keyword) {
        VtkArray array;
        array.rows = m_rows;
        const auto words = restOfLine();
        const auto readType = [&](std::size_t word) {
            if (words.size() <= word || !setType(array, words[word]))
                refuseLine(keyword);
        };
        const auto number = [&](std::size_t word) {
            if (words.size() <= word || !isCount(words[word]))
                refuseLine(keyword);
            return static_cast<std::size_t>(std::stoull(words[word]));
        };
        array.name = words.empty() ? keyword : decodedName(words[0]);
        if (keyword == "FIELD")
            return readField(number(1));
        if (keyword == "SCALARS") {
            readType(1);
            array.components = words.size() > 2 ? number(2) : 1;
            const std::uint64_t body = m_reader.position();
            if (upper(m_reader.next()) == "LOOKUP_TABLE")
                m_reader.line();
            else
                m_reader.seek(body);
            return addArray(array, m_ofPoints);
        }
        if (keyword == "COLOR_SCALARS" || keyword == "LOOKUP_TABLE") {
            array.kind = VtkArray::Kind::colours;
            array.components = keyword == "LOOKUP_TABLE" ? 4 : number(1);
            array.type = m_found.binary ? ScalarType::uint8 : ScalarType::float32;
            array.rows = keyword == "LOOKUP_TABLE" ? number(1) : m_rows;
            return addArray(array, m_ofPoints && keyword == "COLOR_SCALARS");
        }
        static const std::map<std::string, std::size_t> known = {
            {"NORMALS", 3},    {"VECTORS", 3},      {"TENSORS", 9},    {"TENSORS6", 6},
            {"GLOBAL_IDS", 1}, {"PEDIGREE_IDS", 1}, {"EDGE_FLAGS", 1}, {"TEXTURE_COORDINATES", 0}};
        const auto found = known.find(keyword);
        if (found == known.end()) {
            m_found.warnings.push_back(fmt::format(
                "The unsupported section '{}' and all data after it were left out.", keyword.substr(0, 40)));
            return false;
        }
        const bool texture = found->second == 0;
        array.kind = keyword == "NORMALS" ? VtkArray::Kind::normals : VtkArray::Kind::scalars;
        array.components = texture ? number(1) : found->second;
        readType(texture ? 2 : 1);
        return addArray(array, m_ofPoints);
    }

    bool readField(std::uint64_t arrays) {
        for (std::uint64_t a = 0; a < arrays; ++a) {
            VtkArray array;
            array.name = decodedName(std::string(m_reader.next()));
            if (array.name.empty())
                return false;
            if (upper(array.name) == "METADATA") { // metadata of the previous array
                readSection("METADATA");
                --a;
                continue;
            }
            array.components = static_cast<std::size_t>(readCount("FIELD"));
            array.rows = readCount("FIELD");
            const std::string word(m_reader.next());
            m_reader.line();
            if (!setType(array, word)) {
                m_found.warnings.push_back(fmt::format(
                    "The array '{}' and all data after it were left out: its type '{}' is unsupported.",
                    array.name, word.substr(0, 40)));
                return false;
            }
            if (!addArray(array, m_ofPoints))
                return false;
        }
        return true;
    }

    const InputFile& m_file;
    const std::stop_token& m_stop;
    TokenReader m_reader;
    VtkFile m_found;
    std::uint64_t m_rows = 0;    ///< number of rows of each attribute in the current section
    std::uint64_t m_columns = 0; ///< total number of components of the kept arrays
    bool m_ofPoints = false;     ///< whether the current section is POINT_DATA
    std::uint64_t m_cells = 0, m_connectivitySize = 0; ///< counts of the latest section of cells
};

} // namespace

VtkFile readVtkStructure(const InputFile& file, const std::stop_token& stop) {
    return VtkParser(file, stop).parse();
}

} // namespace scanloupe
