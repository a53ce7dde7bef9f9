#include "engine/io/row_parser.h"

#include "engine/cloud/scalar_visit.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace scanloupe {

bool RowParser::skipList(const char*& p, const char* end) const {
    const TextNumber length = parseNumber(p, end, m_layout.delimiter);
    if (!length.end || !(length.value >= 0))
        return false;
    p = next(length.end, end);
    for (double left = length.value; left >= 1; --left) {
        p = skipBlanks(p, end);
        if (p == end)
            return false;
        p = next(tokenEnd(p, end), end);
    }
    return true;
}

bool RowParser::parse(const char* p, const char* end, std::size_t columns, std::size_t slot, int& decimals) {
    columns = std::min(columns, m_layout.fields.size());
    for (std::size_t f = 0; f < columns; ++f) {
        p = skipBlanks(p, end);
        if (p == end)
            return false;
        if (m_layout.fields[f].list) {
            if (!skipList(p, end))
                return false;
            continue;
        }
        if (m_layout.fields[f].dropped) {
            p = next(tokenEnd(p, end), end);
            continue;
        }
        const ColumnTarget& target = m_targets[f];
        TextNumber number = parseNumber(p, end, m_layout.delimiter);
        if (!number.end) { // an empty field, or a word
            if (target.coordinate)
                return false;
            issues.notNumbers.fetch_add(1, std::memory_order_relaxed);
            number.value = std::numeric_limits<double>::quiet_NaN();
            number.end = tokenEnd(p, end);
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
    for (std::size_t f = columns; f < m_layout.fields.size(); ++f)
        store(f, slot, p, none);
    return true;
}

void RowParser::store(std::size_t field, std::size_t slot, const char* token, const TextNumber& number) {
    const ColumnTarget& target = m_targets[field];
    if (target.isPacked()) {
        // a packed colour is an integer, or the float that has the same bits
        const bool asFloat = m_layout.fields[field].type == ScalarType::float32;
        const double whole = number.value >= 0 ? std::min(number.value, 4294967295.0) : 0; // a word is 0, too
        storePacked(target, slot,
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
        } else if constexpr (std::is_same_v<T, float>) {
            value = static_cast<float>(number.value);
            fits = !m_layout.fields[field].widens || floatHolds(number.value, number.decimals);
        } else if constexpr (sizeof(T) == 8) {
            // a double has no room for all 64-bit integers
            constexpr double low = std::is_signed_v<T> ? -9.2e18 : 0.0;
            if (std::from_chars(token, number.end, value).ptr != number.end)
                value =
                    static_cast<T>(std::isnan(number.value) ? 0.0 : std::clamp(number.value, low, 9.2e18));
        } else {
            constexpr double low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
            fits = number.value >= low && number.value <= high && number.value == std::trunc(number.value);
            value = static_cast<T>(std::isnan(number.value) ? 0.0 : std::clamp(number.value, low, high));
        }
        if (!fits) {
            if (m_layout.fields[field].widens)
                outgrow(field);
            else
                issues.clamped.fetch_add(1, std::memory_order_relaxed);
        }
        std::memcpy(to, &value, sizeof(T));
    });
}

std::vector<std::string> RowIssues::sentences() const {
    std::vector<std::string> all;
    if (dropped)
        all.push_back(std::to_string(dropped) +
                      " rows were left out: they have too few values or no numbers for x, y, z.");
    if (tooLong)
        all.push_back(std::to_string(tooLong) +
                      " rows have more values than there are columns; the further ones were ignored.");
    if (notNumbers)
        all.push_back(std::to_string(notNumbers) + " values are empty or no numbers and count as missing.");
    if (junk)
        all.push_back(std::to_string(junk) + " numbers have stray signs after them, which were ignored.");
    if (clamped)
        all.push_back(
            std::to_string(clamped) +
            " values do not fit the type that the header declares and were rounded or clamped to it.");
    return all;
}

} // namespace scanloupe
