// Disjoint sets that several threads join and compress at once: every set ends at its lowest member.
#include "kernels/mesh/cleanup/disjoint_sets.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <numeric>
#include <oneapi/tbb/global_control.h>
#include <utility>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The lowest member of each element's set, joined pair by pair on one thread.
std::vector<std::uint32_t> lowestMembers(std::size_t count, const Pairs& pairs) {
    std::vector<std::uint32_t> parents(count);
    std::iota(parents.begin(), parents.end(), 0u);
    const auto rootOf = [&](std::uint32_t member) {
        while (parents[member] != member)
            member = parents[member] = parents[parents[member]];
        return member;
    };
    for (const auto& [a, b] : pairs) {
        const auto [low, high] = std::minmax({rootOf(a), rootOf(b)});
        parents[high] = low;
    }
    for (std::uint32_t i = 0; i < count; ++i)
        parents[i] = rootOf(i);
    return parents;
}

/// How many elements `roots()` does not link to the lowest member of their set.
std::size_t wrongRoots(DisjointSets& sets, std::span<const std::uint32_t> expected) {
    const auto found = sets.roots({});
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
        wrong += found[i] != expected[i];
    return wrong;
}

/// Allows more threads than there are cores, so that threads are interrupted between a read and a store.
oneapi::tbb::global_control threads(std::size_t count) {
    return {oneapi::tbb::global_control::max_allowed_parallelism, count};
}

} // namespace

class TestDisjointSets : public QObject {
    Q_OBJECT
private slots:
    // A chain in which each link joins two sets, so that every thread shortens the paths of all others.
    void chainsEndAtTheirLowestMember() {
        constexpr std::uint32_t count = 2'000'000;
        constexpr int runs = 50;
        const auto limit = threads(4);
        const std::vector<std::uint32_t> expected(count, 0);
        for (int run = 0; run < runs; ++run) {
            DisjointSets sets(count, {});
            for (std::uint32_t i = count - 1; i > 0; --i) // from the end, each pair links two roots
                sets.join(i, i - 1);
            QCOMPARE(wrongRoots(sets, expected), std::size_t{0});
        }
    }
    void setsJoinedAtOnceEndAtTheirLowestMember() {
        constexpr std::uint32_t count = 300'000;
        auto random = seededRandom("setsJoinedAtOnceEndAtTheirLowestMember");
        std::uniform_int_distribution<std::uint32_t> any(0, count - 1);
        std::geometric_distribution<std::uint32_t> near(0.02);
        for (int run = 0; run < 10; ++run) {
            Pairs pairs;
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::uint32_t a = any(random), step = near(random);
                if (a + step < count) // mostly short steps: large sets with long paths, and many small ones
                    pairs.emplace_back(a + step, a);
            }
            const auto expected = lowestMembers(count, pairs);
            const auto limit = threads(std::size_t(2 + run % 7));
            DisjointSets sets(count, {});
            parallelFor(pairs.size(), 1 << 10, {}, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                    sets.join(pairs[i].first, pairs[i].second);
            });
            QCOMPARE(wrongRoots(sets, expected), std::size_t{0});
        }
    }
};

SCANLOUPE_TEST(TestDisjointSets)
#include "test_disjoint_sets.moc"
