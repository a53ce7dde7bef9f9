#pragma once
// Declares the sum of the memory that results hold.
#include "engine/compute/device_or_host.h"

#include <cstdint>
#include <memory>
#include <set>

namespace scanloupe {

/// Memory that kept results may take. @note Copies that a result on the device has on the host are not
/// counted.
struct KeptBytes {
    std::uint64_t host = 0, device = 0;
};

/// Adds up the memory of results; of those that stages share only once.
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
