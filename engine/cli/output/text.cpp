// Formats and parses numbers, lists and tables.
#include "engine/cli/output/text.h"

#include "engine/cloud/error.h"
#include "engine/compute/memory.h"
#include "engine/io/common/text/utf8.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe::cli {

std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t end = digits.size(); end > 3; end -= 3)
        digits.insert(end - 3, 1, ',');
    return digits;
}

std::string counted(std::uint64_t value, std::string_view noun) {
    return fmt::format("{} {}{}", grouped(value), noun, value == 1 ? "" : "s");
}

std::string withSize(const std::string& text, const std::filesystem::path& file) {
    const auto bytes = writtenBytes(file);
    return bytes ? fmt::format("{}, {}", text, formatBytes(*bytes)) : text;
}

std::optional<std::uint64_t> writtenBytes(const std::filesystem::path& path) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown))
        return std::nullopt;
    const std::uint64_t bytes = std::filesystem::file_size(path, unknown);
    return unknown ? std::nullopt : std::optional(bytes);
}

std::vector<std::string> splitAtCommas(std::string_view text) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t comma = text.find(',');
        parts.emplace_back(text.substr(0, comma));
        if (comma == std::string_view::npos)
            return parts;
        text.remove_prefix(comma + 1);
    }
}

std::vector<double> parseNumbers(std::string_view text) {
    std::vector<double> numbers;
    for (const std::string& part : splitAtCommas(text)) {
        double value = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(value))
            throw EngineError(fmt::format("'{}' in '{}' is not a finite number.", part, text),
                              "Use decimal points, and separate numbers by commas without spaces: 1.5,0,-2.");
        numbers.push_back(value);
    }
    return numbers;
}

std::string formatTable(const std::vector<std::vector<std::string>>& cells, std::string_view indent,
                        std::span<const std::size_t> rightAligned) {
    std::vector<std::size_t> widths;
    // Control characters are escaped, because a line feed in a name would start a new row.
    std::vector<std::vector<std::string>> rows = cells;
    for (auto& row : rows)
        std::ranges::transform(row, row.begin(), terminalLine);
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line(indent);
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool right = std::find(rightAligned.begin(), rightAligned.end(), i) != rightAligned.end();
            line += right ? fmt::format("{:>{}}  ", row[i], widths[i])
                          : fmt::format("{:<{}}  ", row[i], widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string wrapped(std::string_view text, std::size_t width) {
    std::string lines;
    while (text.size() > width) {
        std::size_t space = text.rfind(' ', width);
        if (space == std::string_view::npos)
            space = text.find(' ');
        if (space == std::string_view::npos)
            break;
        lines += std::string(text.substr(0, space)) + '\n';
        text.remove_prefix(space + 1);
    }
    return lines + std::string(text);
}

} // namespace scanloupe::cli
