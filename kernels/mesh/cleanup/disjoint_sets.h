#pragma once
// Implements a concurrent union-find for the connected components of a mesh: Jayanti and Tarjan, "A
// randomized concurrent algorithm for disjoint set union", 2016.
#include "kernels/core/parallel.h"

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Sets of the numbers [0, N). The root of a set is its smallest member, independent of the order of joins: a
/// root is only ever linked below a smaller one, with the numbers themselves as the algorithm's order. Every
/// change is a compare-and-swap: a plain store could replace a parent that another thread has shortened
/// further in the meantime.
class DisjointSets {
public:
    /// Makes a set for each number. @throws Cancelled
    DisjointSets(std::size_t count, const std::stop_token& stop) : m_parents(count) { reset(stop); }

    void reset(const std::stop_token& stop) {
        parallelFor(m_parents.size(), kGrain, stop, [this](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                m_parents[i] = static_cast<std::uint32_t>(i);
        });
    }
    /// Thread-safe.
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
    /// Thread-safe; the result may be out of date while others join.
    std::uint32_t root(std::uint32_t member) {
        while (true) {
            std::atomic_ref<std::uint32_t> mine(m_parents[member]);
            std::uint32_t parent = mine.load(std::memory_order_relaxed);
            if (parent == member)
                return member;
            const std::uint32_t above = std::atomic_ref(m_parents[parent]).load(std::memory_order_relaxed);
            if (above != parent) // path halving; keeps the link of another thread that was faster
                mine.compare_exchange_weak(parent, above, std::memory_order_relaxed);
            member = above;
        }
    }
    /// Links every number to its root, and returns the roots, [N]. No thread may join meanwhile. @throws
    /// Cancelled
    std::span<const std::uint32_t> roots(const std::stop_token& stop) {
        parallelFor(m_parents.size(), kGrain, stop, [this](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                // final: no thread can still shorten the path of a number whose parent is its root
                const std::uint32_t top = root(static_cast<std::uint32_t>(i));
                std::atomic_ref(m_parents[i]).store(top, std::memory_order_relaxed);
            }
        });
        return m_parents;
    }
    std::size_t size() const { return m_parents.size(); }

private:
    static constexpr std::size_t kGrain = std::size_t{1} << 16;
    std::vector<std::uint32_t> m_parents; // [N] never larger than the number itself
};

} // namespace scanloupe
