// Makes column names unique and valid for a file format.
#include "engine/io/common/write/column_names.h"

#include <algorithm>
#include <set>

namespace scanloupe::detail {

std::vector<std::string> uniqueNames(std::span<const std::string> names,
                                     const std::function<std::string(std::string)>& fitted,
                                     std::span<const std::string_view> taken, std::string_view prefix) {
    std::set<std::string> used(taken.begin(), taken.end());
    std::vector<std::string> unique(names.size());
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < names.size(); ++i) {
        unique[i] = fitted(names[i]);
        if (unique[i] != names[i] || !used.insert(unique[i]).second)
            others.push_back(i);
    }
    for (const std::size_t i : others) {
        if (std::find(taken.begin(), taken.end(), unique[i]) != taken.end())
            unique[i].insert(0, prefix);
        const std::string base = unique[i];
        for (int number = 2; !used.insert(unique[i]).second; ++number)
            unique[i] = base + "_" + std::to_string(number);
    }
    return unique;
}

std::vector<std::string> attributeColumnNames(std::span<const std::string> names) {
    constexpr std::string_view coordinates[] = {"x", "y", "z"};
    return uniqueNames(names, asSingleWord, coordinates, "");
}

std::string asSingleWord(std::string name) {
    std::replace_if(
        name.begin(), name.end(),
        [](unsigned char c) {
            return c <= ' ' || c == 0x7f || c == ',' || c == ';' || c == '"' || c == '\'' || c == '#';
        },
        '_');
    return name.empty() ? "unnamed" : name;
}

} // namespace scanloupe::detail
