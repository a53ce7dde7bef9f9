#pragma once
// Waits for a stream before the inputs of its kernels are freed.
#include "kernels/core/error.h"
#include "kernels/core/stream.h"

namespace scanloupe {

/// Synchronizes a stream at the end of a scope, even after an error or a cancellation, so that inputs of its
/// kernels can be freed safely.
class StreamSyncGuard {
public:
    explicit StreamSyncGuard(StreamView stream) : m_stream(stream) {}
    ~StreamSyncGuard() {
        try {
            m_stream.synchronize();
        } catch (const Error&) { // after a device failure, no kernel reads the inputs any more
        }
    }
    StreamSyncGuard(const StreamSyncGuard&) = delete;
    StreamSyncGuard& operator=(const StreamSyncGuard&) = delete;

private:
    StreamView m_stream;
};

} // namespace scanloupe
