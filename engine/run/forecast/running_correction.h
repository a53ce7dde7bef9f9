#pragma once
// Declares corrections learned from runs: ratios of actual to estimated values.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// A factor that corrects an estimate.
struct Correction {
    double factor = 1;
    double spread = 0; ///< standard deviation of the factor's logarithm
    double trust = 0;  ///< confidence at this position, 0 to 1
    int runs = 0;      ///< number of runs that the factor was learned from; 0: no information
};

/// Robust running estimates of the ratio actual / estimated, one for each key: the weighted median of the
/// ratio's logarithm over the last runs. Recent runs have a larger weight, and so do runs of a similar size,
/// since overheads and cache sizes make large runs differ from small ones. The position of a run is the
/// logarithm of its size.
class RunningCorrection {
public:
    /// @param unsure standard deviation of the logarithm before the first run
    /// @param least minimum of the standard deviation: the scatter of runs at the same position
    /// @param width difference of positions that count as similar
    RunningCorrection(double unsure, double least, double width)
        : m_unsure(unsure), m_least(least), m_width(width) {}

    /// Learns from a run. Values that are not positive are ignored.
    void learn(const std::string& key, double position, double actual, double estimated);
    Correction at(const std::string& key, double position) const;
    void clear() { m_seen.clear(); }

    std::string toJson() const;
    /// Replaces the learned values by those in the JSON of toJson(). Clears them if `json` is invalid.
    void fromJson(std::string_view json);

private:
    struct Seen {
        double position, logRatio;
    };
    double m_unsure, m_least, m_width;
    std::map<std::string, std::vector<Seen>> m_seen; ///< the newest run is last
};

} // namespace scanloupe
