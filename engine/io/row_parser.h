#pragma once
// One row of text into the columns of a cloud.
#include "engine/io/text_number.h"
#include "engine/io/text_parse.h"

#include <array>
#include <atomic>

namespace scanloupe {

/// What was odd in rows.
struct RowIssues {
    std::atomic<std::uint64_t> dropped{0};    ///< rows with too few values, or without a number for x, y or z
    std::atomic<std::uint64_t> tooLong{0};    ///< rows with more values than columns
    std::atomic<std::uint64_t> notNumbers{0}; ///< values that became NaN or 0
    std::atomic<std::uint64_t> junk{0};       ///< numbers with stray signs after them
    std::atomic<std::uint64_t> clamped{0};    ///< values outside their declared type
    std::atomic<std::uint64_t> rounded{0};    ///< whole numbers that no double holds

    std::vector<std::string> sentences() const;
};

/// Parses rows into a builder; what it finds out on the way is shared by all threads.
class RowParser {
public:
    RowParser(const TextLayout& layout, const CloudBuilder& builder);

    /// Stores the row [p, end) of `columns` columns at `slot`; false when it is not whole. Raises `decimals`
    /// to those of its coordinates.
    bool parse(const char* p, const char* end, std::size_t columns, std::size_t slot, int& decimals);

    bool anyOutgrown() const { return m_anyOutgrown.load(std::memory_order_relaxed); }
    /// Gives the fields that values did not fit wider types, for another attempt.
    void widen(std::vector<TextField>& fields) const;

    RowIssues issues;

private:
    /// What a field has seen that its type does not hold.
    enum Outgrown : std::uint8_t { fraction = 1, wide = 2, beyondDouble = 4, beyondInt64 = 8 };

    bool skipList(const char*& p, const char* end) const;
    const char* skipBlanks(const char* p, const char* end) const {
        while (p < end && m_blank[static_cast<unsigned char>(*p)])
            ++p;
        return p;
    }
    /// Past the token's blanks and the delimiter after it.
    const char* next(const char* p, const char* end) const {
        p = skipBlanks(p, end);
        return p < end && *p == m_layout.delimiter ? p + 1 : p;
    }
    /// The end of what is no number: words may be in quotes, and have blanks where a delimiter ends them.
    const char* wordEnd(const char* p, const char* end) const;
    /// Past the value at `p` of a field that is not kept.
    const char* skipValue(const char* p, const char* end) const { return next(wordEnd(p, end), end); }
    /// True when a row ends at `p`, but for blanks, though a delimiter there starts another value.
    bool endsOpen(const char* begin, const char* p) const {
        return m_layout.delimiter != ' ' && p > begin && p[-1] == m_layout.delimiter;
    }
    bool storeMissing(std::size_t field, std::size_t slot);
    void store(std::size_t field, std::size_t slot, const char* token, const TextNumber& number);
    void storePlain(std::size_t field, std::size_t slot, const char* token, const TextNumber& number);
    bool holdsAsDouble(std::size_t field, const char* token, const TextNumber& number);
    void outgrow(std::size_t field, const char* token, const TextNumber& number);

    const TextLayout& m_layout;
    const std::vector<ColumnTarget>& m_targets;
    std::array<bool, 256> m_blank{};                   ///< bytes that part values, besides the delimiter
    std::vector<std::atomic<std::uint8_t>> m_outgrown; ///< [F] of Outgrown
    std::atomic<bool> m_anyOutgrown{false};
};

} // namespace scanloupe
