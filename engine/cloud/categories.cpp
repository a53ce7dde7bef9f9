// Recognizes categorical attributes by name, and dictionary-encodes their values.
#include "engine/cloud/categories.h"

#include "engine/cloud/attribute.h"
#include "kernels/core/parallel.h"
#include "kernels/core/scalar_type.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <type_traits>

namespace scanloupe {

namespace {

constexpr std::size_t kCategoriesGrain = 1 << 16;
/// Maximum range of values that is encoded with a lookup table; values with a larger range are sorted.
constexpr std::uint64_t kMaxTableSize = std::uint64_t{1} << 24;

/// Names of categorical attributes, normalized as by splitName(): lower case, letters and digits only.
constexpr std::array<std::string_view, 43> kCategoricalNames{
    // LAS, and canonical names of other formats
    "classification", "returnnumber", "numberofreturns", "returnindex", "returncount", "scannerchannel",
    "scandirectionflag", "edgeofflightline", "synthetic", "keypoint", "withheld", "overlap", "userdata",
    "pointsourceid", "ring", "laserid", "beamid", "ringid", "scan", "scanid", "scanindex",
    // class labels of data sets and of segmentations
    "class", "classid", "label", "labels", "labelid", "semantic", "semantics", "semanticid", "instance",
    "instances", "instanceid", "segment", "segments", "segmentid", "object", "objectid", "cluster",
    "clusterid", "treeid", "trackid", "category", "id"};
/// Last words of categorical names with several words: "semantic_label", "PredInstance".
constexpr std::array<std::string_view, 8> kCategoricalSuffixes{
    "classification", "class", "label", "labels", "instance", "semantic", "segment", "id"};

bool isCapital(char c) {
    return c >= 'A' && c <= 'Z';
}
bool isLetterOrDigit(char c) {
    return isCapital(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// The words of an attribute's name: all joined in normalized form, and the last one.
struct NameWords {
    std::string all, last;
};

NameWords splitName(std::string_view name) {
    NameWords words;
    char previous = '_';
    for (const char c : name) {
        const bool begins = !isLetterOrDigit(previous) || (isCapital(c) && !isCapital(previous));
        previous = c;
        if (!isLetterOrDigit(c))
            continue;
        if (begins)
            words.last.clear();
        const char lower = isCapital(c) ? static_cast<char>(c - 'A' + 'a') : c;
        words.all.push_back(lower);
        words.last.push_back(lower);
    }
    return words;
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::uint32_t rgb(std::uint32_t hex) {
    return 0xff000000u | (hex & 0xff) << 16 | (hex & 0xff00) | hex >> 16;
}

struct NamedClass {
    std::string_view name;
    std::uint32_t colour;
};
/// Names of ASPRS LAS 1.4 R15, table 17. Classes 8 and 12 are named as in point formats 0 to 5, since newer
/// formats reserve them.
constexpr std::array<NamedClass, 23> kAsprsClasses{{{"Never classified", rgb(0xb8b8b8)},
                                                    {"Unclassified", rgb(0xdcdcdc)},
                                                    {"Ground", rgb(0xb5793b)},
                                                    {"Low vegetation", rgb(0xb8e186)},
                                                    {"Medium vegetation", rgb(0x66bd4a)},
                                                    {"High vegetation", rgb(0x1f8f3a)},
                                                    {"Building", rgb(0xe8642c)},
                                                    {"Low noise", rgb(0xff3fa4)},
                                                    {"Model key point", rgb(0xf4e04d)},
                                                    {"Water", rgb(0x3d8bfd)},
                                                    {"Rail", rgb(0x9a6ae0)},
                                                    {"Road surface", rgb(0x8c939c)},
                                                    {"Overlap", rgb(0xf2b6c8)},
                                                    {"Wire, guard", rgb(0xffc24d)},
                                                    {"Wire, conductor", rgb(0xffe600)},
                                                    {"Transmission tower", rgb(0x38d9d9)},
                                                    {"Wire connector", rgb(0xc9a227)},
                                                    {"Bridge deck", rgb(0xb0506a)},
                                                    {"High noise", rgb(0xff1f3d)},
                                                    {"Overhead structure", rgb(0x7f5a3c)},
                                                    {"Ignored ground", rgb(0x8f6f4a)},
                                                    {"Snow", rgb(0xf4fbff)},
                                                    {"Temporal exclusion", rgb(0x6f7f95)}}};

/// Colours that are light enough for a dark background. Consecutive ones differ strongly in hue.
constexpr std::array<std::uint32_t, 20> kPalette{
    rgb(0x4c9be8), rgb(0xf58231), rgb(0x53c653), rgb(0xe6425e), rgb(0xb07be8), rgb(0xc79a63), rgb(0xf59ad2),
    rgb(0xb4b4b4), rgb(0xdede3c), rgb(0x3ed6d6), rgb(0x9fc8f5), rgb(0xffc58f), rgb(0xb3ecb0), rgb(0xf7a8a8),
    rgb(0xd8c2f7), rgb(0x9a6f4e), rgb(0xe03fd8), rgb(0x8f9a3a), rgb(0x2f9e8f), rgb(0x7d7df0)};

/// Returns value - least without overflow: computed modulo 2^64, for any signs.
template <class T>
std::uint64_t offsetFrom(T value, T least) {
    return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(least);
}

/// Dictionary-encodes every `stride`-th value of an attribute, in the attribute's own type.
template <class T>
class Encoder {
public:
    Encoder(const Attribute& attribute, std::size_t count, std::size_t stride, const std::stop_token& stop)
        : m_attribute(attribute), m_data(reinterpret_cast<const T*>(attribute.data())), m_count(count),
          m_stride(stride), m_stop(stop), m_codes(Buffer<std::uint32_t>::host(count)) {}

    CategoryColumn encode() {
        if (m_count > 0) {
            const auto [least, greatest] = limits();
            if (offsetFrom(greatest, least) < kMaxTableSize)
                encodeByTable(least, offsetFrom(greatest, least) + 1);
            else
                encodeBySearch();
        }
        Category category{m_attribute.name, m_attribute.type, {}, m_attribute.classNames};
        category.values.reserve(m_values.size());
        for (const T value : m_values)
            category.values.push_back(static_cast<std::int64_t>(value));
        return {std::make_shared<const Category>(std::move(category)), std::move(m_codes)};
    }

private:
    T at(std::size_t i) const { return m_data[i * m_stride]; }

    std::pair<T, T> limits() const {
        const std::pair<T, T> first{at(0), at(0)};
        return parallelReduce(
            m_count, kCategoriesGrain, m_stop, first,
            [&](std::size_t begin, std::size_t end) {
                std::pair<T, T> found = first;
                for (std::size_t i = begin; i < end; ++i) {
                    found.first = std::min(found.first, at(i));
                    found.second = std::max(found.second, at(i));
                }
                return found;
            },
            [](const auto& a, const auto& b) {
                return std::pair(std::min(a.first, b.first), std::max(a.second, b.second));
            });
    }

    void encodeByTable(T least, std::uint64_t size) {
        std::vector<std::uint32_t> table(size, 0); // first 1 for each value that occurs, then the code of the
                                                   // value
        parallelFor(m_count, kCategoriesGrain, m_stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::atomic_ref<std::uint32_t> entry(table[offsetFrom(at(i), least)]);
                if (entry.load(std::memory_order_relaxed) == 0)
                    entry.store(1, std::memory_order_relaxed);
            }
        });
        for (std::uint64_t d = 0; d < size; ++d) {
            if (table[d] == 0)
                continue;
            table[d] = static_cast<std::uint32_t>(m_values.size());
            m_values.push_back(static_cast<T>(static_cast<std::uint64_t>(least) + d));
        }
        parallelFor(m_count, kCategoriesGrain, m_stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                m_codes[i] = table[offsetFrom(at(i), least)];
        });
    }

    void encodeBySearch() {
        std::vector<std::vector<T>> chunks(chunkCount(m_count, kCategoriesGrain));
        parallelChunks(m_count, kCategoriesGrain, m_stop,
                       [&](std::size_t c, std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i)
                               chunks[c].push_back(at(i));
                           sortUnique(chunks[c]);
                       });
        // Merges sorted chunks in pairs, so that all threads work and no value is sorted twice.
        for (std::size_t step = 1; step < chunks.size(); step *= 2) {
            parallelFor(chunkCount(chunks.size(), 2 * step), 1, m_stop, [&](std::size_t pair, std::size_t) {
                const std::size_t a = 2 * step * pair, b = a + step;
                if (b >= chunks.size())
                    return;
                std::vector<T> merged;
                std::set_union(chunks[a].begin(), chunks[a].end(), chunks[b].begin(), chunks[b].end(),
                               std::back_inserter(merged));
                chunks[a] = std::move(merged);
                chunks[b] = {};
            });
        }
        m_values = std::move(chunks[0]);
        parallelFor(m_count, kCategoriesGrain, m_stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                m_codes[i] = static_cast<std::uint32_t>(
                    std::lower_bound(m_values.begin(), m_values.end(), at(i)) - m_values.begin());
        });
    }
    static void sortUnique(std::vector<T>& values) {
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
    }

    const Attribute& m_attribute;
    const T* m_data; ///< values of the attribute
    std::size_t m_count, m_stride;
    const std::stop_token& m_stop;
    std::vector<T> m_values;
    Buffer<std::uint32_t> m_codes;
};

} // namespace

bool isCategorical(const Attribute& attribute) {
    if (attribute.type == ScalarType::float32 || attribute.type == ScalarType::float64)
        return false;
    const NameWords words = splitName(attribute.name);
    return contains(kCategoricalNames, words.all) || contains(kCategoricalSuffixes, words.last);
}

std::string Category::valueText(std::uint32_t code) const {
    const std::int64_t value = values[code];
    return type == ScalarType::uint64 ? std::to_string(static_cast<std::uint64_t>(value))
                                      : std::to_string(value);
}

std::string_view Category::className(std::uint32_t code) const {
    const auto value = static_cast<std::uint64_t>(values[code]); // negative values become huge and are out of
                                                                 // range
    if (names)
        return value < names->size() ? std::string_view((*names)[value]) : std::string_view{};
    return name == "classification" && value < kAsprsClasses.size() ? kAsprsClasses[value].name
                                                                    : std::string_view{};
}

double Category::value(std::uint32_t code) const {
    return type == ScalarType::uint64 ? static_cast<double>(static_cast<std::uint64_t>(values[code]))
                                      : static_cast<double>(values[code]);
}

std::uint32_t Category::colour(std::uint32_t code) const {
    const auto value = static_cast<std::uint64_t>(values[code]);
    return name == "classification" && value < kAsprsClasses.size() ? kAsprsClasses[value].colour
                                                                    : kPalette[value % kPalette.size()];
}

Category modalClass(const Attribute& attribute, std::span<const std::size_t> points) {
    std::int64_t best = 0;
    visitScalar(attribute.type, [&]<class T>(std::type_identity<T>) {
        const T* values = reinterpret_cast<const T*>(attribute.data());
        std::vector<T> sorted;
        for (const std::size_t i : points)
            sorted.push_back(values[i]);
        std::sort(sorted.begin(), sorted.end());
        std::size_t most = 0;
        for (auto first = sorted.begin(); first != sorted.end();) {
            const auto end = std::upper_bound(first, sorted.end(), *first);
            if (std::size_t(end - first) > most) {
                most = std::size_t(end - first);
                best = static_cast<std::int64_t>(*first);
            }
            first = end;
        }
    });
    return {attribute.name, attribute.type, {best}, attribute.classNames};
}

Category outermostClasses(const Attribute& attribute) {
    Category category{attribute.name, attribute.type, {}, attribute.classNames};
    for (const double value : {attribute.min(), attribute.max()}) {
        const bool isPastSigned = attribute.type == ScalarType::uint64 && value >= 0x1p63;
        category.values.push_back(
            isPastSigned
                ? static_cast<std::int64_t>(static_cast<std::uint64_t>(std::min(value, 0x1.fffffffffffffp63)))
                : static_cast<std::int64_t>(std::min(value, 0x1.fffffffffffffp62)));
    }
    return category;
}

CategoryColumn encodeCategory(const Attribute& attribute, std::size_t count, std::size_t stride,
                              const std::stop_token& stop) {
    return visitScalar(attribute.type, [&]<class T>(std::type_identity<T>) -> CategoryColumn {
        if constexpr (std::is_integral_v<T>)
            return Encoder<T>(attribute, count, stride, stop).encode();
        else
            throw Fault("the attribute '" + attribute.name +
                        "' has no integers and can't be encoded as classes");
    });
}

} // namespace scanloupe
