// Builds the edge table of a mesh on all CPU cores.
#include "kernels/mesh/cleanup/edge_table.h"

#include <algorithm>

namespace scanloupe {

EdgeTable::EdgeTable(const TriangleMesh& mesh, const std::stop_token& stop)
    : m_edges(mesh, stop, [](std::size_t, std::uint32_t from, std::uint32_t to) {
          return std::uint64_t{std::max(from, to)} << 1 | (from > to);
      }) {}

} // namespace scanloupe
