#pragma once
// Declares the exchange of messages between the ranks (processes) of a job.
#include <optional>
#include <string>

namespace scanloupe {

struct RankMessage {
    int from = 0;
    std::string text;
};

/// One of several processes of the same job; all have access to the same files. Not thread-safe.
class RankLink {
public:
    virtual ~RankLink() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0; ///< number of ranks, including this one
    virtual void send(int to, const std::string& text) = 0;
    /// Returns the next message to this rank, or nullopt immediately if there is none.
    virtual std::optional<RankMessage> receive() = 0;
};

} // namespace scanloupe
