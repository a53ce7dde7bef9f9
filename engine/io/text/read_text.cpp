// Reads rows of numbers in text: XYZ, TXT, CSV, ASC and PTS.
#include "engine/io/text/read_text.h"

#include "engine/cloud/damage.h"
#include "engine/io/text/text_layout.h"

#include <algorithm>

namespace scanloupe {

namespace {

const char* delimiterName(char delimiter) {
    return delimiter == ','    ? "commas"
           : delimiter == ';'  ? "semicolons"
           : delimiter == '\t' ? "tabs"
                               : "blanks";
}

} // namespace

bool isPlainText(std::string_view head) {
    return std::all_of(head.begin(), head.end(), [](unsigned char c) {
        return c >= 0x20 || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
    });
}

std::shared_ptr<const PointCloud> readText(const InputFile& file, const ReadOptions& options,
                                           const std::stop_token& stop) {
    SniffedText sniffed = sniffText(file, stop);
    const std::string separated = delimiterName(sniffed.layout.delimiter);
    ProgressMeter meter(options.progress, 5 * (file.size() - sniffed.dataOffset));
    const TextRows rows(file, sniffed.dataOffset, sniffed.newline, meter, stop);
    const RowRange range{0, rows.count()};
    auto cloud = parseRows(file, rows, std::move(sniffed.layout), std::span(&range, 1), nullptr, meter, stop);
    cloud->format = std::string(sniffed.claimedRows ? "PTS text" : "text") + ", values between " + separated +
                    (sniffed.header ? ", with a header" : "");
    for (auto& sentence : sniffed.warnings)
        cloud->warnings.push_back(std::move(sentence));
    if (sniffed.claimedRows && *sniffed.claimedRows > rows.count())
        addDamage(*cloud, truncationWarning(rows.count(), *sniffed.claimedRows));
    if (sniffed.claimedRows && *sniffed.claimedRows < rows.count())
        cloud->warnings.push_back("The first line claims " + std::to_string(*sniffed.claimedRows) +
                                  " points, but " + std::to_string(rows.count()) +
                                  " rows follow; all of them were read.");
    return cloud;
}

} // namespace scanloupe
