// Directs the text and the JSON documents of commands to their streams.
#include "engine/cli/output/session.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/write_atomically.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace scanloupe::cli {

std::ostream& Session::text() {
    if (hasOnlyJson() || quiet)
        return m_text.to(nullptr);
    return m_text.to(m_onStandardOutput.empty() ? &out : &console.err());
}

void Session::writeJsonTo(const std::string& named) {
    json = false;
    m_jsonTarget = target(named, {".json"}, ".json");
    json = true;
}

void Session::printJson(std::string_view document) {
    m_hasPrintedJson = true;
    const auto print = [&](std::ostream& to) {
        to << document;
        if (!document.ends_with('\n'))
            to << '\n';
    };
    if (m_jsonTarget && !m_jsonTarget->isStandardOutput())
        writeAtomically(m_jsonTarget->path, print, stop);
    else
        print(out);
}

void Session::takeStandardOutput(const std::string& named) {
    if (hasOnlyJson())
        throw EngineError(fmt::format("'{}' and --json would both be written to standard output.", named),
                          "Name a file for one of them.");
    if (!m_onStandardOutput.empty() && m_onStandardOutput != named)
        throw EngineError(
            fmt::format("'{}' and '{}' would both be written to standard output.", m_onStandardOutput, named),
            "Name a file for one of them.");
    m_onStandardOutput = named;
    out.flush();
}

OutputTarget Session::target(const std::string& named, const std::vector<std::string>& endings,
                             std::string_view usual) {
    OutputTarget target = outputTarget(named, endings, usual);
    if (target.isStandardOutput())
        takeStandardOutput(named);
    files.addOutput(target);
    return target;
}

OutputTarget Session::poseTarget(const std::string& named) {
    const NamedFormat format = splitFormat(named, {".tum", ".kitti"});
    OutputTarget target{outputPath(format.file), format.ending};
    if (target.ending.empty() && poseFormatFor(target.path) == PoseFormat::tum)
        target.ending = ".tum";
    if (target.isStandardOutput())
        takeStandardOutput(named);
    files.addOutput(target.path, {});
    return target;
}

std::filesystem::path Session::input(const std::string& named) {
    std::filesystem::path path = inputs.file(named);
    files.addInput(path);
    return path;
}

void Session::warn(const std::string& file, const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) {
        console.line(fmt::format("warning: {}: {}", file, warning));
        if (isDamageWarning(warning))
            noteDamage(fmt::format("{}: {}", file, warning));
    }
}

std::shared_ptr<const PointCloud> Session::remembered(const std::string& file,
                                                      std::shared_ptr<const PointCloud> cloud) {
    const PointCloud* const held = cloud.get();
    return {held, [file, cloud = std::move(cloud), loaded = m_loaded](const PointCloud*) {
                std::vector<std::string> warnings = cloud->loadWarnings();
                const std::lock_guard lock(loaded->mutex);
                if (!warnings.empty())
                    loaded->warnings.emplace_back(file, std::move(warnings));
            }};
}

void Session::warnOfLoaded() {
    const std::lock_guard lock(m_loaded->mutex);
    for (const auto& [file, warnings] : std::exchange(m_loaded->warnings, {}))
        for (const std::string& warning : warnings) {
            std::string sentence = fmt::format("{}: {}", file, warning);
            if (std::ranges::find(m_damage, sentence) != m_damage.end())
                continue;
            console.line("warning: " + sentence);
            if (isDamageWarning(warning))
                m_damage.push_back(std::move(sentence));
        }
}

void Session::warnOfMissing(const std::string& why) {
    console.line("warning: " + why);
    noteDamage(why);
}

void Session::noteDamage(std::string sentence) {
    if (strict)
        throw EngineError(sentence,
                          "Copy or export the file again, or leave --strict out to use the intact part.");
    if (std::ranges::find(m_damage, sentence) == m_damage.end())
        m_damage.push_back(std::move(sentence));
}

PoseFormat poseFormatOf(const OutputTarget& target) {
    return target.ending == ".tum" ? PoseFormat::tum : PoseFormat::kitti;
}

} // namespace scanloupe::cli
