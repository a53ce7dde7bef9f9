#pragma once
// Declares the total memory of results.
#include "engine/compute/device_or_host.h"

#include <cstdint>
#include <memory>
#include <set>

namespace scanloupe {

/// Memory of kept results, bytes. @note Host copies of device results are not counted.
struct KeptBytes {
    std::uint64_t host = 0, device = 0;
};

/// Adds up the memory of results. Results that stages share are counted once.
class HeldBytes {
public:
    template <class T>
    void add(const DeviceOrHost<T>& result) {
        if (m_counted.insert(result.identity()).second)
            add(result.onDevice(), result->bytes());
    }
    void add(bool onDevice, std::uint64_t bytes) { (onDevice ? m_bytes.device : m_bytes.host) += bytes; }
    const KeptBytes& bytes() const { return m_bytes; }

private:
    std::set<std::shared_ptr<const void>> m_counted;
    KeptBytes m_bytes;
};

} // namespace scanloupe
