#pragma once
// Declares the parser of one row of text into the columns of a cloud.
#include "engine/io/common/text/text_number.h"
#include "engine/io/text/text_parse.h"

#include <array>
#include <atomic>

namespace scanloupe {

/// Counts of the irregularities in rows.
struct RowIssues {
    std::atomic<std::uint64_t> dropped{0};    ///< number of rows with too few values, or without a number for
                                              ///< x, y or z
    std::atomic<std::uint64_t> tooLong{0};    ///< number of rows with more values than columns
    std::atomic<std::uint64_t> notNumbers{0}; ///< number of values that became NaN or 0
    std::atomic<std::uint64_t> junk{0};       ///< number of numbers followed by stray characters
    std::atomic<std::uint64_t> clamped{0};    ///< number of values outside their declared type
    std::atomic<std::uint64_t> rounded{0};    ///< number of integers that a double can't represent exactly

    std::vector<std::string> sentences() const;
};

/// Parses rows into a builder. All threads share one parser, and with it the issues that it counts.
class RowParser {
public:
    RowParser(const TextLayout& layout, const CloudBuilder& builder);

    /// Stores the row [p, end) of `columns` columns at `slot`; false when it is incomplete. Raises `decimals`
    /// to those of its coordinates.
    bool parse(const char* p, const char* end, std::size_t columns, std::size_t slot, int& decimals);

    /// True for a line of names or a count of points, as found within concatenated files.
    bool isHeading(const char* begin, const char* end) const;

    bool needsWidening() const { return m_needsWidening.load(std::memory_order_relaxed); }
    /// Widens the types of fields that values did not fit, for another pass over the text.
    void widen(std::vector<TextField>& fields) const;

    RowIssues issues;

private:
    /// Kinds of values that did not fit the type of a field.
    enum WideningReason : std::uint8_t { fraction = 1, wide = 2, beyondDouble = 4, beyondInt64 = 8 };

    bool skipList(const char*& p, const char* end) const;
    const char* skipBlanks(const char* p, const char* end) const {
        while (p < end && m_blank[static_cast<unsigned char>(*p)])
            ++p;
        return p;
    }
    /// Skips the blanks after a token, and the delimiter.
    const char* next(const char* p, const char* end) const {
        p = skipBlanks(p, end);
        return p < end && *p == m_layout.delimiter ? p + 1 : p;
    }
    /// The end of a token that is no number: it may be quoted, and contain blanks where a delimiter ends it.
    const char* wordEnd(const char* p, const char* end) const;
    /// Skips the value at `p` of a field that is dropped.
    const char* skipValue(const char* p, const char* end) const { return next(wordEnd(p, end), end); }
    /// True when the row ends at `p`, except for blanks, right after a delimiter: its last value is empty.
    bool endsWithDelimiter(const char* begin, const char* p) const {
        return m_layout.delimiter != ' ' && p > begin && p[-1] == m_layout.delimiter;
    }
    bool storeMissing(std::size_t field, std::size_t slot);
    void store(std::size_t field, std::size_t slot, const char* token, const TextNumber& number);
    void storePlain(std::size_t field, std::size_t slot, const char* token, const TextNumber& number);
    bool fitsDouble(std::size_t field, const char* token, const TextNumber& number);
    void requestWidening(std::size_t field, const char* token, const TextNumber& number);

    const TextLayout& m_layout;
    const std::vector<ColumnTarget>& m_targets;
    std::array<bool, 256> m_blank{}; ///< bytes that separate values, besides the delimiter
    std::vector<std::atomic<std::uint8_t>> m_wideningReasons; ///< [F] of WideningReason
    std::atomic<bool> m_needsWidening{false};
};

} // namespace scanloupe
