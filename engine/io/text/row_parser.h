#pragma once
// Declares the parser of rows of text. It stores values in the columns of a cloud.
#include "engine/io/common/text/text_number.h"
#include "engine/io/text/text_parse.h"

#include <array>
#include <atomic>

namespace scanloupe {

/// Counts of irregularities in rows, for warnings.
struct RowIssues {
    std::atomic<std::uint64_t> dropped{0};    ///< number of rows with too few values, or without a number for
                                              ///< x, y or z
    std::atomic<std::uint64_t> tooLong{0};    ///< number of rows with more values than columns
    std::atomic<std::uint64_t> notNumbers{0}; ///< number of values that became NaN or 0
    std::atomic<std::uint64_t> junk{0};       ///< number of numbers followed by stray characters
    std::atomic<std::uint64_t> clamped{0};    ///< number of values that the declared type can't represent
    std::atomic<std::uint64_t> rounded{0};    ///< number of integers that a double can't represent exactly

    /// Returns the warnings about all counts except `dropped`.
    std::vector<std::string> sentences() const;
};

/// Parser of rows into a builder. All threads share a single parser, which counts the issues of all rows.
class RowParser {
public:
    RowParser(const TextLayout& layout, const CloudBuilder& builder);

    /// Parses the row [p, end) and stores its values at row `slot` of the builder. Returns false if the row
    /// is incomplete. Raises `decimals` to the maximum number of decimals of its coordinates. @param columns
    /// number of columns that the row should have
    bool parse(const char* p, const char* end, std::size_t columns, std::size_t slot, int& decimals);

    /// Returns whether a line is a header or a point count, which concatenated files contain between their
    /// rows.
    bool isHeading(const char* begin, const char* end) const;

    bool needsWidening() const { return m_needsWidening.load(std::memory_order_relaxed); }
    /// Widens the types of the fields whose values did not fit, for another pass over the text.
    void widen(std::vector<TextField>& fields) const;

    RowIssues issues;

private:
    /// Kinds of values that did not fit the type of a field, as flags.
    enum WideningReason : std::uint8_t {
        fraction = 1,     ///< number that is not written as a 64-bit integer
        wide = 2,         ///< 64-bit integer
        beyondDouble = 4, ///< integer of at least 2^53, where double is inexact
        beyondInt64 = 8   ///< integer that int64 can't represent
    };

    bool skipList(const char*& p, const char* end) const;
    const char* skipBlanks(const char* p, const char* end) const {
        while (p < end && m_blank[static_cast<unsigned char>(*p)])
            ++p;
        return p;
    }
    /// Skips blanks after a token, and the delimiter after them.
    const char* next(const char* p, const char* end) const {
        p = skipBlanks(p, end);
        return p < end && *p == m_layout.delimiter ? p + 1 : p;
    }
    /// Returns the end of a token that is not a number. The token may be quoted; if the delimiter is not a
    /// blank, it may contain blanks.
    const char* wordEnd(const char* p, const char* end) const;
    /// Skips the value of a dropped field at `p`.
    const char* skipValue(const char* p, const char* end) const { return next(wordEnd(p, end), end); }
    /// Returns whether a delimiter precedes `p`, so that the last value of a row that ends at `p` is empty.
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
    std::array<bool, 256> m_blank{}; ///< [byte] whether the byte is a blank around values
    std::vector<std::atomic<std::uint8_t>> m_wideningReasons; ///< [fields] flags of WideningReason
    std::atomic<bool> m_needsWidening{false};
};

} // namespace scanloupe
