#pragma once
// Declares the common prior for the spreads of many small groups (Smyth, "Linear models and empirical Bayes
// methods for assessing differential expression in microarray experiments", 2004). The spread of a few points
// is a poor estimate, so the prior adds degrees of freedom.
#include <span>

namespace scanloupe {

/// A variance and its degrees of freedom.
struct NoiseSpread {
    double variance = 0;
    double freedom = 0; ///< need not be an integer; 0: no information
};

/// Prior for the variances of groups. They scatter about a common variance as if that had been estimated with
/// `common.freedom` degrees of freedom: infinity if all groups have the same variance, 0 if there are too few
/// groups.
struct SpreadPrior {
    NoiseSpread common;
    double mean = 0;  ///< mean variance of the groups, weighted by their degrees of freedom
    double total = 0; ///< sum of the groups' degrees of freedom

    /// Returns a group's variance, moderated by the prior, for tests of this group.
    NoiseSpread moderated(NoiseSpread own) const;
    /// Returns an unbiased variance of a group, for sums over groups: its own variance, or the mean variance
    /// if it has none.
    NoiseSpread unbiased(NoiseSpread own) const;
};

SpreadPrior spreadPrior(std::span<const NoiseSpread> groups);

/// The variance of a sum of independent parts (Satterthwaite 1946).
class SpreadSum {
public:
    void add(NoiseSpread part);
    double variance() const { return m_variance; }
    double freedom() const;

private:
    double m_variance = 0;
    double m_squares = 0; ///< sum of squared variances divided by their degrees of freedom
};

} // namespace scanloupe
