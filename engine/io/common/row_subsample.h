#pragma once
// Chooses a subsample of a file's rows, for a first look at a large scan.
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace scanloupe {

/// Some of the rows of a file: all, or blocks of adjacent rows at even distances.
class RowSubsample {
public:
    /// All rows.
    explicit RowSubsample(std::size_t rows)
        : m_rows(rows), m_size(rows), m_blockRows(std::max<std::size_t>(rows, 1)) {}
    /// About `wanted` of the rows. See isWorthIt() for when to use it.
    RowSubsample(std::size_t rows, std::size_t wanted) : m_rows(rows) {
        constexpr std::size_t blocks = 300; // each is a seek where a disk has heads
        m_blockRows = std::max<std::size_t>(std::min(wanted, rows) / blocks, 1);
        m_size = std::min(wanted, rows) / m_blockRows * m_blockRows;
    }
    /// Whether reading `wanted` of `rows` rows is much faster than reading all of them.
    static bool isWorthIt(std::uint64_t rows, std::size_t wanted) {
        return rows >= 4 * std::uint64_t{wanted};
    }

    std::size_t size() const { return m_size; } ///< rows in the subsample
    std::size_t rows() const { return m_rows; } ///< rows in the file
    std::size_t blockRows() const { return m_blockRows; }
    std::size_t blocks() const { return (m_size + m_blockRows - 1) / m_blockRows; }
    /// The index in the file of the subsample's row `row`, and of the rows after it up to the end of its
    /// block.
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
