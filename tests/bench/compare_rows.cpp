#include "tests/bench/compare_rows.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace scanloupe::bench {

int compareRows(const std::vector<std::pair<std::string, double>>& rows, const std::filesystem::path& file) {
    std::map<std::string, double> old;
    try {
        std::ifstream in(file);
        const auto json = nlohmann::json::parse(in);
        for (const auto& row : json.at("rows"))
            old[row.at("key")] = row.at("median_ms");
    } catch (const nlohmann::json::exception& error) {
        throw KernelError("'" + file.string() + "' holds no figures of this benchmark: " + error.what(),
                          "Give --compare a file that --json wrote.");
    }
    std::size_t widest = 0;
    for (const auto& [key, ms] : rows)
        widest = std::max(widest, key.size());
    int slower = 0;
    std::size_t compared = 0;
    fmt::print("\nCompared with {}: new median / old\n", file.string());
    for (const auto& [key, ms] : rows) {
        const auto before = old.find(key);
        if (before == old.end())
            continue;
        const double ratio = ms / before->second;
        const bool marked = ratio > 1.05;
        slower += marked ? 1 : 0;
        ++compared;
        fmt::print("  {:<{}} {:>6.3f}{}\n", key, widest, ratio, marked ? "  <- slower" : "");
    }
    fmt::print("{} of {} rows got slower by over 5 %; {} rows are new.\n", slower, compared,
               rows.size() - compared);
    return slower;
}

} // namespace scanloupe::bench
