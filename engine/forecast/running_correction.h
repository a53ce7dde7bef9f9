#pragma once
// Declares what is learned from runs: by how much they differ from what was estimated.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// The factor by which an estimate is corrected.
struct Correction {
    double factor = 1;
    double spread = 0; ///< standard deviation of its logarithm
    double trust = 0;  ///< 0 to 1: how much is known about this position
    int runs = 0;      ///< that it was learned from; 0: nothing is known yet
};

/// Robust running estimates of actual / estimated, each under a key: the weighted median of the logarithms of
/// the last runs. Recent runs count more, and those of a similar size (their position, a logarithm), since
/// overheads and cache sizes make large runs differ from small ones.
class RunningCorrection {
public:
    /// @param unsure standard deviation of the logarithm before anything is known
    /// @param least the same at best: so much do runs of the same position differ
    /// @param width of positions that count as similar
    RunningCorrection(double unsure, double least, double width)
        : m_unsure(unsure), m_least(least), m_width(width) {}

    /// Values that are not positive teach nothing.
    void learn(const std::string& key, double position, double actual, double estimated);
    Correction at(const std::string& key, double position) const;
    void clear() { m_seen.clear(); }

    std::string toJson() const;
    /// Replaces what was learned by what toJson() wrote; by nothing if `json` isn't that.
    void fromJson(std::string_view json);

private:
    struct Seen {
        double position, logRatio;
    };
    double m_unsure, m_least, m_width;
    std::map<std::string, std::vector<Seen>> m_seen; ///< the newest last
};

} // namespace scanloupe
