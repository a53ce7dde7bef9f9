#pragma once
// Waits for a stream before the inputs of its kernels are freed.
#include "kernels/core/error.h"
#include "kernels/core/stream.h"

namespace scanloupe {

/// Synchronizes a stream at the end of a scope, also after an error or a cancellation, so that the inputs of
/// its kernels can be freed.
class StreamSyncGuard {
public:
    explicit StreamSyncGuard(StreamView stream) : m_stream(stream) {}
    ~StreamSyncGuard() {
        try {
            m_stream.synchronize();
        } catch (const Error&) { // a failed device does not read any more
        }
    }
    StreamSyncGuard(const StreamSyncGuard&) = delete;
    StreamSyncGuard& operator=(const StreamSyncGuard&) = delete;

private:
    StreamView m_stream;
};

} // namespace scanloupe
