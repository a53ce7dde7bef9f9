#pragma once
// Declares what the spreads of many small groups have in common (Smyth, "Linear models and empirical Bayes
// methods for assessing differential expression in microarray experiments", 2004). A group of a few points
// has a poor spread of its own; with the common one it gains degrees of freedom.
#include <span>

namespace scanloupe {

/// A variance and how many degrees of freedom it was estimated with.
struct Spread {
    double variance = 0;
    double freedom = 0; ///< need not be whole; 0: the variance says nothing
};

/// The variances of groups scatter about a common one as if that had been estimated with `common.freedom`
/// degrees of freedom: infinity where all groups have the same. 0 where there are too few groups to tell.
struct SpreadPrior {
    Spread common;
    double mean = 0;  ///< variance of all groups together, weighted by their degrees of freedom
    double total = 0; ///< degrees of freedom of all groups

    /// A group's variance with what is known of the others, for tests of this group.
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
    double m_squares = 0; ///< of variances, by their degrees of freedom
};

} // namespace scanloupe
