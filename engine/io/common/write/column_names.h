#pragma once
// Declares functions that make the names of attributes unique and valid as column names of a file.
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe::detail {

/// Makes names valid, unique, and different from those in `taken`. Names that need no change are kept. Names
/// in `taken` get `prefix` prepended, and duplicates get a number appended. @param fitted returns the valid
/// form of a name
std::vector<std::string> uniqueNames(std::span<const std::string> names,
                                     const std::function<std::string(std::string)>& fitted,
                                     std::span<const std::string_view> taken, std::string_view prefix);

/// Returns column names for attributes in a file whose names are single words and whose first columns are x,
/// y and z.
std::vector<std::string> attributeColumnNames(std::span<const std::string> names);

/// Converts `name` to one word: blanks, control characters, commas, semicolons, quotes and # become
/// underscores.
std::string asSingleWord(std::string name);

} // namespace scanloupe::detail
