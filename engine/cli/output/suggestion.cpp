// Computes the edit distance of words, to correct misspelt ones.
#include "engine/cli/output/suggestion.h"

#include <algorithm>
#include <vector>

namespace scanloupe::cli {

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        cost[i][0] = i;
    for (std::size_t k = 0; k <= b.size(); ++k)
        cost[0][k] = k;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t k = 1; k <= b.size(); ++k) {
            const std::size_t other = a[i - 1] == b[k - 1] ? 0 : 1;
            cost[i][k] = std::min({cost[i - 1][k] + 1, cost[i][k - 1] + 1, cost[i - 1][k - 1] + other});
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                cost[i][k] = std::min(cost[i][k], cost[i - 2][k - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

std::optional<std::string> nearestWord(std::string_view word, std::span<const std::string> known) {
    const std::size_t most = std::max<std::size_t>(1, word.size() / 3);
    std::optional<std::string> nearest;
    std::size_t least = most + 1;
    for (const std::string& one : known) {
        const bool begins = word.size() >= 3 && one.starts_with(word);
        const std::size_t distance = begins ? 1 : editDistance(word, one);
        if (distance < least) {
            least = distance;
            nearest = one;
        }
    }
    return nearest;
}

} // namespace scanloupe::cli
