#pragma once
// Declares a subsample of a file's rows, for a quick look at a large scan.
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace scanloupe {

/// Rows of a file: all, or blocks of adjacent rows at regular intervals.
class RowSubsample {
public:
    /// Selects all rows.
    explicit RowSubsample(std::size_t rows)
        : m_rows(rows), m_size(rows), m_blockRows(std::max<std::size_t>(rows, 1)) {}
    /// Selects approximately `wanted` rows. See isWorthIt() for when to use it.
    RowSubsample(std::size_t rows, std::size_t wanted) : m_rows(rows) {
        constexpr std::size_t blocks = 300; // each block is a seek on a hard disk
        m_blockRows = std::max<std::size_t>(std::min(wanted, rows) / blocks, 1);
        m_size = std::min(wanted, rows) / m_blockRows * m_blockRows;
    }
    /// Whether reading `wanted` of `rows` rows is much faster than reading all of them.
    static bool isWorthIt(std::uint64_t rows, std::size_t wanted) {
        return rows >= 4 * std::uint64_t{wanted};
    }

    std::size_t size() const { return m_size; } ///< number of rows in the subsample
    std::size_t rows() const { return m_rows; } ///< number of rows in the file
    std::size_t blockRows() const { return m_blockRows; }
    std::size_t blocks() const { return (m_size + m_blockRows - 1) / m_blockRows; }
    /// Returns the index in the file of row `row` of the subsample. The following rows are adjacent up to the
    /// end of the block.
    std::size_t rowInFile(std::size_t row) const {
        const std::size_t block = row / m_blockRows, last = blocks() > 1 ? blocks() - 1 : 1;
        const auto first = static_cast<std::size_t>(double(m_rows - std::min(m_rows, m_blockRows)) *
                                                    double(block) / double(last));
        return (m_size == m_rows ? block * m_blockRows : first) + row % m_blockRows;
    }

private:
    std::size_t m_rows, m_size = 0, m_blockRows = 1;
};

} // namespace scanloupe
