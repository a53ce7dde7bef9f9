#pragma once
// Declares messages between the ranks of a job that runs in several processes.
#include <optional>
#include <string>

namespace scanloupe {

struct RankMessage {
    int from = 0;
    std::string text;
};

/// A process among others of the same job, which see the same files. One thread at a time.
class RankLink {
public:
    virtual ~RankLink() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0; ///< ranks, this one included
    virtual void send(int to, const std::string& text) = 0;
    /// A message to this rank; returns none immediately if there is none.
    virtual std::optional<RankMessage> receive() = 0;
};

} // namespace scanloupe
