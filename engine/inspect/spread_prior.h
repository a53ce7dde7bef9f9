#pragma once
// Declares the common prior of the spreads of many small groups (Smyth, "Linear models and empirical Bayes
// methods for assessing differential expression in microarray experiments", 2004). The spread of a few points
// is a poor estimate; the prior adds degrees of freedom.
#include <span>

namespace scanloupe {

/// A variance and its degrees of freedom.
struct Spread {
    double variance = 0;
    double freedom = 0; ///< need not be whole; 0: no information
};

/// The variances of groups scatter about a common one as if that had been estimated with `common.freedom`
/// degrees of freedom: infinity where all groups have the same, 0 where there are too few groups.
struct SpreadPrior {
    Spread common;
    double mean = 0;  ///< variance of all groups together, weighted by their degrees of freedom
    double total = 0; ///< degrees of freedom of all groups

    /// A group's variance, moderated by the prior, for tests of this group.
    Spread moderated(Spread own) const;
    /// A group's variance without bias, for sums over groups: its own, or that of all where it has none.
    Spread unbiased(Spread own) const;
};

SpreadPrior spreadPrior(std::span<const Spread> groups);

/// The variance of a sum of independent parts (Satterthwaite 1946).
class SpreadSum {
public:
    void add(Spread part);
    double variance() const { return m_variance; }
    double freedom() const;

private:
    double m_variance = 0;
    double m_squares = 0; ///< sum of squared variances divided by their degrees of freedom
};

} // namespace scanloupe
