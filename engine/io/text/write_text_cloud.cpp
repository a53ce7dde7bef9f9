// Writes clouds as text, with a row per point.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/text/csv_text.h"
#include "engine/io/common/write/cloud_rows.h"
#include "engine/io/common/write/column_names.h"
#include "engine/io/text/write_text.h"

#include <fmt/format.h>

namespace scanloupe::detail {

void writeTextCloud(std::ostream& stream, const CloudJob& job) {
    const char delimiter = job.ending == ".csv" ? ',' : ' ';
    std::string header = delimiter == ',' ? "" : "# ";
    header += fmt::format("x{0}y{0}z", delimiter);
    std::vector<std::string> names;
    for (const Attribute& attribute : job.cloud.attributes())
        names.push_back(attribute.name);
    for (const std::string& name : attributeColumnNames(names))
        header += delimiter + (delimiter == ',' ? withoutFormula(name) : name);
    stream << header << '\n';
    ProgressMeter meter(job.options.progress, job.cloud.size());
    writePieces(stream, job.cloud.size(), kCloudPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i)
                        appendTextRow(out, job.cloud, i, delimiter);
                });
}

} // namespace scanloupe::detail
