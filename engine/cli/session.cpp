// Directs the text and the documents of commands to their streams.
#include "engine/cli/session.h"

#include "engine/cloud/error.h"

#include <fmt/format.h>

namespace scanloupe::cli {

std::ostream& Session::text() {
    if (json || quiet)
        return m_nowhere;
    return m_onStandardOutput.empty() ? out : console.err();
}

void Session::printJson(std::string_view document) {
    m_hasPrintedJson = true;
    out << document;
    if (!document.ends_with('\n'))
        out << '\n';
}

void Session::takeStandardOutput(const std::string& named) {
    if (json)
        throw EngineError(fmt::format("'{}' and --json would both be written to standard output.", named),
                          "Write one of them to a file.");
    if (!m_onStandardOutput.empty() && m_onStandardOutput != named)
        throw EngineError(
            fmt::format("'{}' and '{}' would both be written to standard output.", m_onStandardOutput, named),
            "Write one of them to a file.");
    m_onStandardOutput = named;
    out.flush();
}

OutputTarget Session::target(const std::string& named, const std::vector<std::string>& endings,
                             std::string_view usual) {
    OutputTarget target = outputTarget(named, endings, usual);
    if (target.isStandardOutput())
        takeStandardOutput(named);
    return target;
}

OutputTarget Session::poseTarget(const std::string& named) {
    const NamedFormat format = splitFormat(named, {".tum", ".kitti"});
    OutputTarget target{outputPath(format.file), format.ending};
    if (target.ending.empty() && poseFormatFor(target.path) == PoseFormat::tum)
        target.ending = ".tum";
    if (target.isStandardOutput())
        takeStandardOutput(named);
    return target;
}

PoseFormat poseFormatOf(const OutputTarget& target) {
    return target.ending == ".tum" ? PoseFormat::tum : PoseFormat::kitti;
}

} // namespace scanloupe::cli
