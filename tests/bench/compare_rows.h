#pragma once
// Compares a benchmark's figures with those of an earlier run.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace scanloupe::bench {

/// Prints, for each row, the ratio of its median to the median of the row with the same key in a file that
/// --json wrote. @param rows keys and medians in milliseconds. @returns the number of rows that are slower by
/// over 5 %
/// @throws KernelError if the file contains no figures.
int compareRows(const std::vector<std::pair<std::string, double>>& rows, const std::filesystem::path& file);

/// Compares rows that have `key()` and `medianMs`.
template <class Rows>
int compareRows(const Rows& rows, const std::filesystem::path& file) {
    std::vector<std::pair<std::string, double>> medians;
    for (const auto& row : rows)
        medians.emplace_back(row.key(), row.medianMs);
    return compareRows(medians, file);
}

} // namespace scanloupe::bench
