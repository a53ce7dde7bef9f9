// Writes clouds as LAS.
#include "engine/io/common/write/write_options.h"
#include "engine/io/common/write/write_pieces.h"
#include "engine/io/las/write/las_plan.h"
#include "engine/io/las/write/write_las.h"

namespace scanloupe::detail {

void writeLasCloud(std::ostream& stream, const CloudJob& job) {
    const LasPlan plan = planLas(job.cloud, job.stop);
    std::string head = serializeLasHeader(job.cloud, plan, {}, job.stop);
    setEvlrOffsets(head, plan, head.size() + plan.points * plan.recordLength);
    stream << head;
    ProgressMeter meter(job.options.progress, plan.points);
    writePieces(stream, plan.points, kCloudPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    out.resize((end - begin) * plan.recordLength);
                    auto* record = reinterpret_cast<std::byte*>(out.data());
                    for (std::size_t row = begin; row < end; ++row, record += plan.recordLength)
                        fillLasRecord(job.cloud, plan, row, record);
                });
    writeEvlrs(stream, plan, job.stop);
}

} // namespace scanloupe::detail
