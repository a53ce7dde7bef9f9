#pragma once
// Declares the environment that every command runs in.
#include "engine/cli/console.h"
#include "engine/cli/piped_inputs.h"
#include "engine/io/common/output_target.h"
#include "engine/io/trajectory.h"

#include <functional>
#include <ostream>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace scanloupe::cli {

/// The environment of a command: console, standard output, stop token, and its inputs and outputs by the
/// names that users give.
class Session {
public:
    Session(Console& shownAt, std::ostream& standardOutput, const std::stop_token& token, PipedInputs& piped)
        : console(shownAt), out(standardOutput), stop(token), inputs(piped) {}

    Console& console;
    std::ostream& out;
    const std::stop_token& stop;
    PipedInputs& inputs;
    bool json = false;  ///< --json: the result is one JSON document on standard output
    bool quiet = false; ///< --quiet: no text but errors

    /// What people read: on standard output; on standard error where that is taken by data; nowhere with
    /// --json and --quiet.
    std::ostream& text();
    /// Prints the document of --json.
    void printJson(std::string_view document);
    bool hasPrintedJson() const { return m_hasPrintedJson; }

    /// An output by the name that users give, see outputTarget(). @throws EngineError also where standard
    /// output has another use
    OutputTarget target(const std::string& named, const std::vector<std::string>& endings,
                        std::string_view usual = {});
    /// A file of poses, of any name: TUM for .tum and "tum:", else KITTI.
    OutputTarget poseTarget(const std::string& named);

private:
    void takeStandardOutput(const std::string& named);

    std::ostream m_nowhere{nullptr};
    bool m_hasPrintedJson = false;
    std::string m_onStandardOutput; ///< the name of the output that it is taken by
};

/// The format of a target of poses, see Session::poseTarget().
PoseFormat poseFormatOf(const OutputTarget& target);

/// A command with parsed options; throws Error and Cancelled.
using Action = std::function<void(Session&)>;

} // namespace scanloupe::cli
