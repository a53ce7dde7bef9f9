#pragma once
// Names of columns, as the files that are written can hold them.
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe::detail {

/// `names` as a format can hold them, `fitted`, each once and none of `taken`. Who is called so keeps a name;
/// of others one that is taken gets `prefix` before it, one that another column has a number behind it.
std::vector<std::string> uniqueNames(std::span<const std::string> names,
                                     const std::function<std::string(std::string)>& fitted,
                                     std::span<const std::string_view> taken, std::string_view prefix);

/// What attributes of these names are called in a file, where each is one word beside x, y and z.
std::vector<std::string> attributeColumnNames(std::span<const std::string> names);

/// `name` as one word: blanks, control characters, commas, semicolons, quotes and # become underscores.
std::string oneWord(std::string name);

} // namespace scanloupe::detail
