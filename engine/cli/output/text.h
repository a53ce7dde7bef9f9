#pragma once
// Declares formatting and parsing of numbers, lists and tables for several commands.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe::cli {

/// Formats a number with its digits in groups of three: "1,234,567".
std::string grouped(std::uint64_t value);

/// Formats a number and its noun: "1 point", "1,234 points". The plural is `noun` with an s.
std::string counted(std::uint64_t value, std::string_view noun);

/// Returns `text` followed by the size of a written file: "mesh.ply, 12 MiB". Pipes and devices get no size.
std::string withSize(const std::string& text, const std::filesystem::path& file);
/// Returns the size of a written file in bytes; nullopt if it is not a regular file.
std::optional<std::uint64_t> writtenBytes(const std::filesystem::path& path);

/// Splits `text` at commas.
std::vector<std::string> splitAtCommas(std::string_view text);

/// Parses numbers separated by commas. @throws EngineError naming the part that is not a finite number
std::vector<double> parseNumbers(std::string_view text);

/// Formats rows as a table. Each row begins with `indent`; columns are left-aligned, except for those whose
/// indices are in `rightAligned`.
std::string formatTable(const std::vector<std::vector<std::string>>& rows, std::string_view indent,
                        std::span<const std::size_t> rightAligned);

/// Wraps `text` at spaces to lines of at most `width` characters. A longer word gets a line of its own.
std::string wrapped(std::string_view text, std::size_t width);

} // namespace scanloupe::cli
