#pragma once
// Small pieces of text that several commands print.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe::cli {

/// "1,234,567".
std::string grouped(std::uint64_t value);

/// "1 point", "1,234 points"; the plural is the noun with an s.
std::string counted(std::uint64_t value, std::string_view noun);

/// `text` with the size of a written file behind it, "mesh.ply, 12 MiB"; a pipe or a device has none.
std::string withSize(const std::string& text, const std::filesystem::path& file);
/// The size of a written file in bytes; none of what is no file.
std::optional<std::uint64_t> writtenBytes(const std::filesystem::path& path);

/// The parts of `text` between commas.
std::vector<std::string> splitAtCommas(std::string_view text);

/// With small letters for the capitals of ASCII, which drives that don't tell them apart see as the same.
std::string lowerCase(std::string text);

/// Numbers separated by commas. @throws EngineError naming the part that is no finite number.
std::vector<double> parseNumbers(std::string_view text);

/// Rows as left-aligned columns, each row led by `indent`; columns in `rightAligned` are aligned to the
/// right.
std::string formatTable(const std::vector<std::vector<std::string>>& rows, std::string_view indent,
                        std::span<const std::size_t> rightAligned);

/// `text` with line breaks between words, so that lines have at most `width` characters where words allow it.
std::string wrapped(std::string_view text, std::size_t width);

} // namespace scanloupe::cli
