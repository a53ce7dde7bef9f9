#pragma once
// Implements concurrent disjoint sets (union-find) for the connected components of a mesh (Jayanti and
// Tarjan, "A randomized concurrent algorithm for disjoint set union", 2016).
#include "kernels/core/parallel.h"

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Disjoint sets of the numbers [0, N). The root of a set is its smallest member, independent of the order of
/// joins, since a root is only ever linked to a smaller root. (The numbers themselves serve as the order that
/// the algorithm requires.) Every change is a compare-and-swap, since a plain store could overwrite a parent
/// that another thread has meanwhile replaced by one closer to the root.
class DisjointSets {
public:
    /// Creates a set for each number. @throws Cancelled
    DisjointSets(std::size_t count, const std::stop_token& stop) : m_parents(count) { reset(stop); }

    void reset(const std::stop_token& stop) {
        parallelFor(m_parents.size(), kGrain, stop, [this](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                m_parents[i] = static_cast<std::uint32_t>(i);
        });
    }
    /// Joins the sets of two numbers. Thread-safe.
    void join(std::uint32_t a, std::uint32_t b) {
        while (true) {
            a = root(a);
            b = root(b);
            if (a == b)
                return;
            std::uint32_t& larger = m_parents[a > b ? a : b];
            std::uint32_t itself = a > b ? a : b;
            if (std::atomic_ref(larger).compare_exchange_weak(itself, a > b ? b : a,
                                                              std::memory_order_relaxed))
                return;
        }
    }
    /// Returns the root of a number's set. Thread-safe; the result may be outdated if other threads join sets
    /// concurrently.
    std::uint32_t root(std::uint32_t member) {
        while (true) {
            std::atomic_ref<std::uint32_t> mine(m_parents[member]);
            std::uint32_t parent = mine.load(std::memory_order_relaxed);
            if (parent == member)
                return member;
            const std::uint32_t above = std::atomic_ref(m_parents[parent]).load(std::memory_order_relaxed);
            if (above != parent) // path halving; the compare-and-swap fails harmlessly if another thread was
                                 // faster
                mine.compare_exchange_weak(parent, above, std::memory_order_relaxed);
            member = above;
        }
    }
    /// Links every number directly to its root, and returns the roots, [N]. No thread may join sets
    /// meanwhile. @throws Cancelled
    std::span<const std::uint32_t> roots(const std::stop_token& stop) {
        parallelFor(m_parents.size(), kGrain, stop, [this](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                // a plain store is safe: once a number's parent is its root, no thread changes it any more
                const std::uint32_t top = root(static_cast<std::uint32_t>(i));
                std::atomic_ref(m_parents[i]).store(top, std::memory_order_relaxed);
            }
        });
        return m_parents;
    }
    std::size_t size() const { return m_parents.size(); }

private:
    static constexpr std::size_t kGrain = std::size_t{1} << 16;
    std::vector<std::uint32_t> m_parents; // [N] parent of each number, never larger than the number itself
};

} // namespace scanloupe
