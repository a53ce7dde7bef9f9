// Reads rows of numbers in text: XYZ, TXT, CSV, ASC and PTS.
#include "engine/io/text/read_text.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/field_names.h"
#include "engine/io/text/plain_text.h"
#include "engine/io/text/text_layout.h"

#include <algorithm>

namespace scanloupe {

namespace {

const char* delimiterName(char delimiter) {
    return delimiter == ','    ? "commas"
           : delimiter == ';'  ? "semicolons"
           : delimiter == '|'  ? "vertical bars"
           : delimiter == '\t' ? "tabs"
                               : "blanks";
}

/// Throws EngineError if there is no column x, y or z.
void requireAxes(const InputFile& file, const TextLayout& layout) {
    std::vector<std::string> names;
    for (const TextField& field : layout.fields)
        if (!field.dropped)
            names.push_back(field.name);
    const auto canonical = canonicalNames(names);
    for (const char* axis : {"x", "y", "z"})
        if (std::ranges::find(canonical, axis) == canonical.end())
            throwNoCoordinate(file, axis, names,
                              "Assign the columns by their numbers, as in --text-columns x=2,y=3,z=4, or "
                              "name them in the file's header.");
}

} // namespace

std::shared_ptr<const PointCloud> readText(const InputFile& file, const ReadOptions& options,
                                           const std::stop_token& stop) {
    PlainText text = plainTextOf(file, stop);
    const InputFile& plain = *text.file;
    SniffedText sniffed = sniffText(plain, options.textColumns, stop);
    if (sniffed.unsure && options.chooseColumns)
        if (const auto chosen = options.chooseColumns(*sniffed.unsure); !chosen.empty())
            sniffed = sniffText(plain, chosen, stop);
    requireAxes(plain, sniffed.layout);
    const std::string separated = delimiterName(sniffed.layout.delimiter);
    ProgressMeter meter(options.progress, 5 * (plain.size() - sniffed.dataOffset));
    const TextRows rows(plain, sniffed.dataOffset, sniffed.newline, meter, stop);
    const RowRange range{0, rows.count()};
    auto cloud =
        parseRows(plain, rows, std::move(sniffed.layout), std::span(&range, 1), nullptr, meter, stop);
    cloud->format = std::string(text.utf16 ? "UTF-16 " : "") + (sniffed.claimedRows ? "PTS text" : "text") +
                    ", values between " + separated + (sniffed.header ? ", with a header" : "");
    for (auto* warnings : {&text.warnings, &sniffed.warnings})
        for (auto& sentence : *warnings)
            cloud->warnings.push_back(std::move(sentence));
    if (sniffed.claimedRows && *sniffed.claimedRows > rows.count())
        addDamage(*cloud, truncationWarning(rows.count(), *sniffed.claimedRows));
    if (sniffed.claimedRows && *sniffed.claimedRows < rows.count())
        cloud->warnings.push_back("The first line specifies " + std::to_string(*sniffed.claimedRows) +
                                  " points, but the file contains " + std::to_string(rows.count()) +
                                  " rows; all rows were read.");
    return cloud;
}

} // namespace scanloupe
