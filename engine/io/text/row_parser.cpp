// Parses rows of text into the columns of a cloud.
#include "engine/io/text/row_parser.h"

#include "engine/io/text/text_tokens.h"
#include "kernels/core/scalar_type.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace scanloupe {

RowParser::RowParser(const TextLayout& layout, const CloudBuilder& builder)
    : m_layout(layout), m_targets(builder.targets()), m_wideningReasons(layout.fields.size()) {
    for (std::size_t byte = 0; byte < m_blank.size(); ++byte) {
        const char c = static_cast<char>(static_cast<unsigned char>(byte));
        m_blank[byte] = isTextBlank(c) && !(c == '\t' && layout.delimiter == '\t');
    }
}

const char* RowParser::wordEnd(const char* p, const char* end) const {
    if (p < end && *p == '"') {
        const char* const closing = std::find(p + 1, end, '"');
        p = closing < end ? closing + 1 : p;
    }
    if (m_layout.delimiter != ' ')
        return std::find(p, end, m_layout.delimiter);
    return std::find_if(p, end, isTextBlank);
}

bool RowParser::skipList(const char*& p, const char* end) const {
    const TextNumber length = parseNumber(p, end, m_layout.delimiter);
    if (!length.end || !(length.value >= 0))
        return false;
    p = next(length.end, end);
    for (auto left = static_cast<std::uint64_t>(std::min(length.value, 1e18)); left > 0; --left) {
        p = skipBlanks(p, end);
        if (p == end)
            return false;
        p = skipValue(p, end);
    }
    return true;
}

bool RowParser::parse(const char* begin, const char* end, std::size_t columns, std::size_t slot,
                      int& decimals) {
    columns = std::min(columns, m_layout.fields.size());
    const char* p = begin;
    for (std::size_t f = 0; f < columns; ++f) {
        const char* const start = p;
        p = skipBlanks(p, end);
        if (p == end) // the last value is empty or missing
            return f + 1 == columns && endsWithDelimiter(begin, start) && storeMissing(f, slot);
        if (m_layout.fields[f].list) {
            if (!skipList(p, end))
                return false;
            continue;
        }
        if (m_layout.fields[f].dropped) {
            p = skipValue(p, end);
            continue;
        }
        const ColumnTarget& target = m_targets[f];
        TextNumber number = parseNumber(p, end, m_layout.delimiter);
        if (!number.end) { // an empty field, or a word
            if (target.coordinate)
                return false;
            issues.notNumbers.fetch_add(1, std::memory_order_relaxed);
            number.value = std::numeric_limits<double>::quiet_NaN();
            number.end = wordEnd(p, end);
        }
        if (number.junk)
            issues.junk.fetch_add(1, std::memory_order_relaxed);
        if (target.coordinate)
            decimals = std::max(decimals, number.decimals);
        store(f, slot, p, number);
        p = next(number.end, end);
    }
    if (skipBlanks(p, end) != end)
        issues.tooLong.fetch_add(1, std::memory_order_relaxed);
    TextNumber none;
    none.value = std::numeric_limits<double>::quiet_NaN();
    none.end = p;
    for (std::size_t f = columns; f < m_layout.fields.size(); ++f)
        store(f, slot, p, none);
    return true;
}

bool RowParser::isHeading(const char* begin, const char* end) const {
    while (begin < end && isTextBlank(*begin))
        ++begin;
    while (begin < end && isTextBlank(end[-1]))
        --end;
    const std::string_view line(begin, end);
    return (m_layout.hasCount && isCount(line)) ||
           std::ranges::find(m_layout.headings, line) != m_layout.headings.end();
}

bool RowParser::storeMissing(std::size_t field, std::size_t slot) {
    if (m_layout.fields[field].dropped)
        return true;
    if (m_layout.fields[field].list || m_targets[field].coordinate)
        return false;
    issues.notNumbers.fetch_add(1, std::memory_order_relaxed);
    TextNumber missing;
    missing.value = std::numeric_limits<double>::quiet_NaN();
    store(field, slot, nullptr, missing);
    return true;
}

void RowParser::store(std::size_t field, std::size_t slot, const char* token, const TextNumber& number) {
    const ColumnTarget& target = m_targets[field];
    if (target.isPacked()) {
        // a packed colour is written as an integer, or as the float with the same bits
        const bool asFloat = m_layout.fields[field].type == ScalarType::float32;
        const double whole =
            number.value >= 0 ? std::min(number.value, 4294967295.0) : 0; // NaN of a word becomes 0
        storePackedColour(target, slot,
                          asFloat ? std::bit_cast<std::uint32_t>(static_cast<float>(number.value))
                                  : static_cast<std::uint32_t>(whole));
    } else if (target.data) {
        storePlain(field, slot, token, number);
    }
}

void RowParser::storePlain(std::size_t field, std::size_t slot, const char* token, const TextNumber& number) {
    const ColumnTarget& target = m_targets[field];
    std::byte* to = target.data + slot * target.stride;
    visitScalar(target.type, [&]<class T>(std::type_identity<T>) {
        T value{};
        bool fits = true;
        if constexpr (std::is_same_v<T, double>) {
            value = number.value;
            if (std::abs(value) >= kExactInteger) [[unlikely]]
                fits = fitsDouble(field, token, number);
        } else if constexpr (std::is_same_v<T, float>) {
            value = static_cast<float>(number.value);
            fits = !m_layout.fields[field].widens || floatHolds(number.value, number.decimals);
        } else if constexpr (sizeof(T) == 8) {
            // parsed as an integer, since a double can't represent all 64-bit integers
            constexpr double low = std::is_signed_v<T> ? -9.2e18 : 0.0;
            if (!readInteger(token, number.end, value)) {
                const double kept = std::isnan(number.value) ? 0.0 : std::clamp(number.value, low, 9.2e18);
                value = static_cast<T>(kept);
                fits = !m_layout.fields[field].widens && number.value == std::trunc(kept);
            }
        } else {
            constexpr double low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
            fits = number.value >= low && number.value <= high && number.value == std::trunc(number.value);
            value = static_cast<T>(std::isnan(number.value) ? 0.0 : std::clamp(number.value, low, high));
        }
        if (!fits) {
            if (m_layout.fields[field].widens)
                requestWidening(field, token, number);
            else
                issues.clamped.fetch_add(1, std::memory_order_relaxed);
        }
        std::memcpy(to, &value, sizeof(T));
    });
}

bool RowParser::fitsDouble(std::size_t field, const char* token, const TextNumber& number) {
    const TextField& column = m_layout.fields[field];
    if (m_targets[field].coordinate || !column.widens || !isInteger64(token, number.end))
        return true;
    std::int64_t exact = 0;
    if (!column.whole &&
        !(readInteger(token, number.end, exact) && static_cast<double>(exact) == number.value &&
          std::abs(number.value) < 9.2e18 && static_cast<std::int64_t>(number.value) == exact))
        issues.rounded.fetch_add(1, std::memory_order_relaxed);
    return !column.whole;
}

void RowParser::requestWidening(std::size_t field, const char* token, const TextNumber& number) {
    std::uint8_t seen = fraction;
    if (isInteger64(token, number.end)) {
        std::int64_t value = 0;
        seen = wide | (std::abs(number.value) >= kExactInteger ? beyondDouble : 0) |
               (readInteger(token, number.end, value) ? 0 : beyondInt64);
    }
    m_wideningReasons[field].fetch_or(seen, std::memory_order_relaxed);
    m_needsWidening.store(true, std::memory_order_relaxed);
}

void RowParser::widen(std::vector<TextField>& fields) const {
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const unsigned seen = m_wideningReasons[f].load(std::memory_order_relaxed);
        if (seen == 0)
            continue;
        TextField& field = fields[f];
        field.whole = field.whole && !(seen & fraction) && field.type != ScalarType::uint64;
        if (field.whole && (seen & beyondInt64))
            field.type = ScalarType::uint64;
        else if (field.whole && (seen & beyondDouble))
            field.type = ScalarType::int64;
        else
            field.type = ScalarType::float64;
    }
}

std::vector<std::string> RowIssues::sentences() const {
    std::vector<std::string> all;
    if (tooLong)
        all.push_back(std::to_string(tooLong) +
                      " rows have more values than columns; the additional values were ignored.");
    if (notNumbers)
        all.push_back(std::to_string(notNumbers) +
                      " values are empty or not numbers, and were read as missing values.");
    if (junk)
        all.push_back(std::to_string(junk) +
                      " numbers are followed by other characters, which were ignored.");
    if (clamped)
        all.push_back(std::to_string(clamped) +
                      " values were rounded or clamped since the type in the header can't represent them.");
    if (rounded)
        all.push_back(std::to_string(rounded) + " integers beyond 2^53 were rounded to double precision, "
                                                "since their columns also contain fractions.");
    return all;
}

} // namespace scanloupe
