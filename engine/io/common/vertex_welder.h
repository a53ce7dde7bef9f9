#pragma once
// Declares the welding of vertices: it collects the distinct positions of triangle corners in the order of
// first appearance.
#include "engine/compute/memory.h"
#include "kernels/core/vec3.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace scanloupe {

/// A hash set of positions with open addressing. Positions are equal if all of their bits are equal.
template <class Position>
class VertexWelder {
public:
    /// @param name name of the file for messages
    explicit VertexWelder(std::string name) : m_name(std::move(name)) {}

    /// Returns the index of a position among the distinct ones. @throws EngineError when out of memory
    std::size_t add(const Position& position) {
        if (m_vertices.size() * 2 >= m_slots.size())
            grow();
        const std::size_t slot = find(position);
        if (m_slots[slot] == 0) {
            m_vertices.push_back(position);
            m_slots[slot] = m_vertices.size();
        }
        return static_cast<std::size_t>(m_slots[slot] - 1);
    }
    const std::vector<Position>& vertices() const { return m_vertices; }

private:
    /// Returns the slot of the position, or the empty slot for inserting it.
    std::size_t find(const Position& position) const {
        std::uint64_t bits[sizeof(Position) / 4] = {}, hash = 0;
        for (std::size_t word = 0; word < sizeof(Position) / 4; ++word) {
            std::memcpy(&bits[word], reinterpret_cast<const char*>(&position) + 4 * word, 4);
            hash = (hash ^ bits[word]) * 0x9E3779B97F4A7C15u; // 2^64 / golden ratio (Knuth, TAOCP 3, 6.4)
            hash ^= hash >> 32;
        }
        std::size_t slot = static_cast<std::size_t>(hash) & (m_slots.size() - 1);
        while (m_slots[slot] != 0 &&
               // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bytes are compared, including those
               // of -0 and NaN
               std::memcmp(&m_vertices[m_slots[slot] - 1], &position, sizeof(Position)) != 0)
            slot = (slot + 1) & (m_slots.size() - 1);
        return slot;
    }
    void grow() {
        const std::size_t slots = m_slots.empty() ? 1024 : 2 * m_slots.size();
        requireMemory({"Finding the vertices of '" + m_name + "'",
                       slots * (sizeof(std::uint64_t) + sizeof(Position) / 2),
                       "Close other scans and programs, or save the mesh as PLY."},
                      availableHostMemory());
        m_vertices.reserve(slots / 2);
        m_slots.assign(slots, 0);
        for (std::size_t i = 0; i < m_vertices.size(); ++i)
            m_slots[find(m_vertices[i])] = i + 1;
    }

    std::string m_name;
    std::vector<Position> m_vertices;
    std::vector<std::uint64_t> m_slots; ///< index of a vertex, plus one; 0: empty
};

} // namespace scanloupe
