#pragma once
// Formats and parses text for several commands: numbers, lists, tables.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe::cli {

/// Digits in groups of three: "1,234,567".
std::string grouped(std::uint64_t value);

/// "1 point", "1,234 points"; the plural is the noun with an s.
std::string counted(std::uint64_t value, std::string_view noun);

/// `text` followed by the size of a written file, "mesh.ply, 12 MiB"; without it for pipes and devices.
std::string withSize(const std::string& text, const std::filesystem::path& file);
/// The size of a written file in bytes; nullopt if it is no regular file.
std::optional<std::uint64_t> writtenBytes(const std::filesystem::path& path);

/// The parts of `text` between commas.
std::vector<std::string> splitAtCommas(std::string_view text);

/// Parses numbers separated by commas. @throws EngineError naming the part that is no finite number.
std::vector<double> parseNumbers(std::string_view text);

/// Formats rows as a table of left-aligned columns, each row preceded by `indent`; columns with an index in
/// `rightAligned` are right-aligned.
std::string formatTable(const std::vector<std::vector<std::string>>& rows, std::string_view indent,
                        std::span<const std::size_t> rightAligned);

/// Wraps `text` between words to lines of at most `width` characters, except for longer words.
std::string wrapped(std::string_view text, std::size_t width);

} // namespace scanloupe::cli
