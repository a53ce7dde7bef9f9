#pragma once
// Declares the environment that every command runs in.
#include "engine/cli/output/console.h"
#include "engine/cli/output/piped_inputs.h"
#include "engine/cli/output/terminal_text.h"
#include "engine/io/output_check.h"
#include "engine/io/trajectory.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::cli {

/// The environment of a command: console, standard output, stop token, and its inputs and outputs by their
/// user-given names.
class Session {
public:
    Session(Console& shownAt, std::ostream& standardOutput, const std::stop_token& token, PipedInputs& piped)
        : console(shownAt), out(standardOutput), stop(token), inputs(piped), files(token) {}

    Console& console;
    std::ostream& out;
    const std::stop_token& stop;
    PipedInputs& inputs;
    bool json = false;   ///< --json: the result is one JSON document, on standard output or in a file
    bool quiet = false;  ///< --quiet: no text but errors
    bool strict = false; ///< --strict: incomplete inputs are rejected
    OutputCheck files;   ///< all inputs and outputs: input() and target() add to it, and check

    /// The file to read for an input as the user named it, see PipedInputs::file(). @throws EngineError also
    /// where an output would overwrite it
    std::filesystem::path input(const std::string& named);
    /// Reports warnings of an input on the console. After a warning about damage, the command continues,
    /// reports the damage once more at its end, even with --quiet, and ends with exitUserError.
    /// @throws EngineError for these with --strict
    void warn(const std::string& file, const std::vector<std::string>& warnings);
    /// As warn(), for an unreadable input among others. @param why a sentence that names it
    void warnOfMissing(const std::string& why);
    /// The cloud, some of whose values are loaded on use: damage found then is kept when the cloud is
    /// released, until warnOfLoaded(). Callable from any thread.
    std::shared_ptr<const PointCloud> remembered(const std::string& file,
                                                 std::shared_ptr<const PointCloud> cloud);
    /// As warn(), for damage that was found in released clouds. Never throws EngineError: with --strict all
    /// values are loaded before anything is written.
    void warnOfLoaded();
    /// Damage sentences without repetitions: "street.laz: Incomplete: 3 of 10 points are missing."
    const std::vector<std::string>& damage() const { return m_damage; }

    /// The stream for the user's text: standard output; standard error where data goes to standard output;
    /// discarded with --quiet, and with --json without a file.
    std::ostream& text();
    /// Writes the document of --json into a file. To be called before other outputs are named. @throws as
    /// target()
    void writeJsonTo(const std::string& named);
    /// Whether standard output is for the document of --json alone.
    bool hasOnlyJson() const { return json && !m_jsonTarget; }
    /// Prints the document of --json, or writes its file. @throws EngineError when that cannot be written
    void printJson(std::string_view document);
    bool hasPrintedJson() const { return m_hasPrintedJson; }

    /// An output by its user-given name, see outputTarget(). @throws EngineError also where it can't be
    /// written, see OutputCheck, and where standard output has another use
    OutputTarget target(const std::string& named, const std::vector<std::string>& endings,
                        std::string_view usual = {});
    /// A file of poses, of any name: TUM for .tum and "tum:", else KITTI.
    OutputTarget poseTarget(const std::string& named);

private:
    void takeStandardOutput(const std::string& named);

    TerminalText m_text;
    bool m_hasPrintedJson = false;
    void noteDamage(std::string sentence);

    /// Damage found in released clouds, by the names of their files.
    struct Loaded {
        std::mutex mutex;
        std::vector<std::pair<std::string, std::vector<std::string>>> warnings;
    };
    std::shared_ptr<Loaded> m_loaded = std::make_shared<Loaded>(); ///< shared with the clouds
    std::vector<std::string> m_damage;
    std::optional<OutputTarget> m_jsonTarget; ///< the file of --json
    std::string m_onStandardOutput;           ///< name of the output that is written to standard output
};

/// The format of a target of poses, see Session::poseTarget().
PoseFormat poseFormatOf(const OutputTarget& target);

/// A command with parsed options; throws Error and Cancelled.
using Action = std::function<void(Session&)>;

} // namespace scanloupe::cli
