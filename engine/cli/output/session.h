#pragma once
// Declares the environment that a command runs in.
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

/// The environment of a command: console, standard output, stop token, and the registered inputs and outputs.
class Session {
public:
    Session(Console& shownAt, std::ostream& standardOutput, const std::stop_token& token, PipedInputs& piped)
        : console(shownAt), out(standardOutput), stop(token), inputs(piped), files(token) {}

    Console& console;
    std::ostream& out;
    const std::stop_token& stop;
    PipedInputs& inputs;
    bool json = false;   ///< --json was given without a file: standard output carries a single JSON document
    bool quiet = false;  ///< --quiet: only errors are printed
    bool strict = false; ///< --strict: damaged or incomplete inputs are rejected
    OutputCheck files;   ///< all inputs and outputs; input() and target() register and check them

    /// Registers an input and returns the file to read, see PipedInputs::file(). @param named the input as
    /// the user named it
    /// @throws as PipedInputs::file(); EngineError if an output would overwrite the input
    std::filesystem::path input(const std::string& named);
    /// Reports warnings of an input on the console. After a warning about damage the command continues, but
    /// repeats the warning at its end, even with --quiet, and exits with exitUserError.
    /// @throws EngineError for damage with --strict
    void warn(const std::string& file, const std::vector<std::string>& warnings);
    /// Reports an unreadable input among several as damage, see warn(). @param why a sentence that names the
    /// input
    void warnOfMissing(const std::string& why);
    /// Wraps a cloud whose attribute values are loaded on use. If loading finds damage, the warnings are
    /// stored when the cloud is released, until warnOfLoaded() reports them. Thread-safe.
    std::shared_ptr<const PointCloud> remembered(const std::string& file,
                                                 std::shared_ptr<const PointCloud> cloud);
    /// Reports damage that was found in released clouds, see warn(). Never throws EngineError: with --strict
    /// all values are loaded before anything is written.
    void warnOfLoaded();
    /// Returns the sentences about damage, each once: "street.laz: Incomplete: 3 of 10 points are missing."
    const std::vector<std::string>& damage() const { return m_damage; }

    /// Returns the stream for the user's text: standard output, or standard error if data goes to standard
    /// output. The text is discarded with --quiet, and with --json without a file.
    std::ostream& text();
    /// Directs the document of --json to a file. Must be called before other outputs are registered. @throws
    /// as target()
    void writeJsonTo(const std::string& named);
    /// Whether standard output is reserved for the document of --json.
    bool hasOnlyJson() const { return json && !m_jsonTarget; }
    /// Prints the document of --json, or writes it to its file. @throws EngineError if it cannot be written
    void printJson(std::string_view document);
    bool hasPrintedJson() const { return m_hasPrintedJson; }

    /// Registers an output and determines its format, see outputTarget(). @param named the output as the user
    /// named it
    /// @throws EngineError also if the file can't be written, see OutputCheck, or if standard output is
    /// already in use
    OutputTarget target(const std::string& named, const std::vector<std::string>& endings,
                        std::string_view usual = {});
    /// Registers an output file of poses, which may have any name. Its format is TUM for the extension .tum
    /// or the prefix "tum:", else KITTI.
    OutputTarget poseTarget(const std::string& named);

private:
    void takeStandardOutput(const std::string& named);

    TerminalText m_text;
    bool m_hasPrintedJson = false;
    void noteDamage(std::string sentence);

    /// Warnings of released clouds, with the names of their files.
    struct Loaded {
        std::mutex mutex;
        std::vector<std::pair<std::string, std::vector<std::string>>> warnings;
    };
    std::shared_ptr<Loaded> m_loaded = std::make_shared<Loaded>(); ///< shared with the deleters of the clouds
    std::vector<std::string> m_damage;
    std::optional<OutputTarget> m_jsonTarget; ///< the file of --json; none: standard output
    std::string m_onStandardOutput;           ///< name of the output that is directed to standard output;
                                              ///< empty: none
};

/// Returns the format of a pose file, see Session::poseTarget().
PoseFormat poseFormatOf(const OutputTarget& target);

/// Runs a command whose options are parsed. Throws EngineError, KernelError and Cancelled.
using Action = std::function<void(Session&)>;

} // namespace scanloupe::cli
