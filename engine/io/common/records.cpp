// Reads binary records of fixed size, block by block on all cores.
#include "engine/io/common/records.h"

#include "kernels/core/parallel.h"

#include <algorithm>

namespace scanloupe {

namespace {

/// Returns the memory into which records can be read directly; null if its layout differs from that of the
/// file.
std::byte* directDestination(const RecordLayout& layout, std::span<const ColumnTarget> targets) {
    const std::size_t size = layout.recordSize();
    std::size_t place = 0;
    for (std::size_t f = 0; f < layout.fields.size(); ++f) {
        const ColumnTarget& target = targets[f];
        const ScalarType type = layout.fields[f].type;
        if ((layout.swapped && sizeOf(type) > 1) || target.isPacked() || target.type != type ||
            target.stride != size || target.data == nullptr || target.data != targets[0].data + place)
            return nullptr;
        place += sizeOf(type);
    }
    return place > 0 ? targets[0].data : nullptr;
}

/// Reads the records of `rows` rows into `targets`, and calls `onRows(count)` after each block.
template <class OnRows>
void copyRecords(const InputFile& file, const RecordLayout& layout, std::size_t rows,
                 std::span<const ColumnTarget> targets, const std::stop_token& stop, OnRows&& onRows) {
    constexpr std::size_t blockBytes = std::size_t{1} << 18; // fits into the cache of a core while it is
                                                             // transposed
    const std::size_t size = layout.recordSize();
    const std::size_t grain = std::max<std::size_t>(1, blockBytes / std::max<std::size_t>(1, size));
    std::byte* const direct = directDestination(layout, targets);
    const RowSubsample places = layout.subsample.value_or(RowSubsample(rows));
    parallelFor(rows, layout.subsample ? places.blockRows() : grain, stop,
                [&](std::size_t begin, std::size_t end) {
                    const std::uint64_t place = layout.offset + std::uint64_t{places.rowInFile(begin)} * size;
                    if (direct) {
                        file.read(place, std::span(direct + begin * size, (end - begin) * size));
                        return onRows(end - begin);
                    }
                    const auto block = std::make_unique_for_overwrite<std::byte[]>((end - begin) * size);
                    file.read(place, std::span(block.get(), (end - begin) * size));
                    const std::byte* column = block.get();
                    for (std::size_t f = 0; f < layout.fields.size(); ++f) {
                        copyColumn(column, size, layout.fields[f].type, layout.swapped, targets[f], begin,
                                   end - begin);
                        column += sizeOf(layout.fields[f].type);
                    }
                    onRows(end - begin);
                });
}

class RecordAttributes : public AttributeSource {
public:
    RecordAttributes(const InputFile& file, const RecordLayout& layout, const CloudBuilder& builder)
        : m_file(file.held()), m_layout(layout), m_columns(builder.columns()), m_rows(builder.rows()) {}

    std::vector<std::string> read(std::span<const std::size_t> attributes,
                                  std::span<std::byte* const> targets,
                                  const std::stop_token& stop) const override {
        m_file->requireUnchanged();
        copyRecords(*m_file, m_layout, m_rows, m_columns.targets(attributes, targets, m_rows), stop,
                    [](std::size_t) {});
        m_file->requireUnchanged();
        return {};
    }

private:
    std::shared_ptr<const InputFile> m_file;
    RecordLayout m_layout;
    AttributeColumns m_columns;
    std::size_t m_rows;
};

} // namespace

std::size_t RecordLayout::recordSize() const {
    std::size_t size = 0;
    for (const Field& field : fields)
        size += sizeOf(field.type);
    return size;
}

std::uint64_t RecordLayout::wholeRecords(const InputFile& file, std::uint64_t claimed) const {
    const std::size_t size = recordSize();
    if (size == 0 || offset >= file.size())
        return 0;
    return std::min(claimed, (file.size() - offset) / size);
}

void readRecords(const InputFile& file, const RecordLayout& layout, CloudBuilder& builder,
                 const ProgressFunction& progress, const std::stop_token& stop) {
    ProgressMeter meter(progress, builder.rows());
    copyRecords(file, layout, builder.rows(), builder.targets(), stop,
                [&](std::size_t rows) { meter.add(rows); });
}

std::shared_ptr<const AttributeSource> attributesOfRecords(const InputFile& file, const RecordLayout& layout,
                                                           const CloudBuilder& builder) {
    return std::make_shared<const RecordAttributes>(file, layout, builder);
}

} // namespace scanloupe
