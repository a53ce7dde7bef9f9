// Replaces LASzip in builds without it: LAS can be read, and LAZ is rejected with advice on what to install.
#include "engine/cloud/error.h"
#include "engine/io/common/read_options.h"
#include "engine/io/las/las_point_reader.h"
#include "engine/io/las/read_las.h"
#include "engine/io/las/write/write_las.h"

namespace scanloupe {

namespace {
constexpr char kNextStep[] = "Install liblaszip-dev and rebuild Scanloupe, or convert the file to LAS first.";
} // namespace

bool haveLaszip() {
    return false;
}

std::unique_ptr<LasPointReader> makeLazPointReader(const InputFile& file, const LasHeader&,
                                                   const ReadOptions&, const std::stop_token&) {
    throw EngineError(
        "'" + file.name() +
            "' is a LAZ file, but this build of Scanloupe can't read LAZ since it has no LASzip",
        kNextStep);
}

void detail::writeLazCloud(std::ostream&, const CloudJob&) {
    throw EngineError("this build of Scanloupe can't write LAZ since it has no LASzip",
                      "Install liblaszip-dev and rebuild Scanloupe, or write the cloud as .las.");
}

} // namespace scanloupe
