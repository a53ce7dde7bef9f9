#pragma once
// One row of text into the columns of a cloud.
#include "engine/io/text_number.h"
#include "engine/io/text_parse.h"

#include <atomic>

namespace scanloupe {

/// What was odd in rows.
struct RowIssues {
    std::atomic<std::uint64_t> dropped{0};    ///< rows with too few values, or without a number for x, y or z
    std::atomic<std::uint64_t> tooLong{0};    ///< rows with more values than columns
    std::atomic<std::uint64_t> notNumbers{0}; ///< values that became NaN or 0
    std::atomic<std::uint64_t> junk{0};       ///< numbers with stray signs after them
    std::atomic<std::uint64_t> clamped{0};    ///< values outside their declared type

    std::vector<std::string> sentences() const;
};

/// Parses rows into a builder; what it finds out on the way is shared by all threads.
class RowParser {
public:
    RowParser(const TextLayout& layout, const CloudBuilder& builder)
        : m_layout(layout), m_targets(builder.targets()), m_outgrown(layout.fields.size()) {}

    /// Stores the row [p, end) of `columns` columns at `slot`; false when it is not whole. Raises `decimals`
    /// to those of its coordinates.
    bool parse(const char* p, const char* end, std::size_t columns, std::size_t slot, int& decimals);

    bool anyOutgrown() const { return m_anyOutgrown.load(std::memory_order_relaxed); }
    /// True when a value did not fit the type of `field` exactly, and the field widens.
    bool outgrown(std::size_t field) const { return m_outgrown[field].load(std::memory_order_relaxed); }

    RowIssues issues;

private:
    bool skipList(const char*& p, const char* end) const;
    const char* skipBlanks(const char* p, const char* end) const {
        while (p < end && isTextBlank(*p))
            ++p;
        return p;
    }
    /// Past the token's blanks and the delimiter after it.
    const char* next(const char* p, const char* end) const {
        p = skipBlanks(p, end);
        return p < end && *p == m_layout.delimiter ? p + 1 : p;
    }
    const char* tokenEnd(const char* p, const char* end) const {
        while (p < end && !isTextBlank(*p) && *p != m_layout.delimiter)
            ++p;
        return p;
    }
    void store(std::size_t field, std::size_t slot, const char* token, const TextNumber& number);
    void storePlain(std::size_t field, std::size_t slot, const char* token, const TextNumber& number);
    void outgrow(std::size_t field) {
        m_outgrown[field].store(true, std::memory_order_relaxed);
        m_anyOutgrown.store(true, std::memory_order_relaxed);
    }

    const TextLayout& m_layout;
    const std::vector<ColumnTarget>& m_targets;
    std::vector<std::atomic<bool>> m_outgrown;
    std::atomic<bool> m_anyOutgrown{false};
};

} // namespace scanloupe
