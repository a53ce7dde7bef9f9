#include "tests/support/allocation_watch.h"

#include <atomic>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

namespace scanloupe::test {
AllocationWatch::AllocationWatch() : m_before(0) {}
std::size_t AllocationWatch::peak() const {
    return 0;
}
} // namespace scanloupe::test

#else

#include <cerrno>
#include <cstdlib>
#include <malloc.h>

namespace {

std::atomic<std::size_t> taken{0}, most{0};

void* count(void* memory) {
    if (!memory)
        return nullptr;
    const std::size_t now = taken += malloc_usable_size(memory);
    for (std::size_t before = most; before < now && !most.compare_exchange_weak(before, now);) {
    }
    return memory;
}
void uncount(void* memory) {
    if (memory)
        taken -= malloc_usable_size(memory);
}

} // namespace

// the C library's own functions, by the names that it has for those who replace them
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) {
    return count(__libc_malloc(size));
}
void* calloc(std::size_t number, std::size_t size) {
    return count(__libc_calloc(number, size));
}
void* realloc(void* memory, std::size_t size) {
    uncount(memory);
    void* grown = __libc_realloc(memory, size);
    if (!grown && size > 0)
        count(memory); // the old block is unchanged
    return count(grown);
}
void* memalign(std::size_t alignment, std::size_t size) {
    return count(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    return count(__libc_memalign(alignment, size));
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
    *memory = count(__libc_memalign(alignment, size));
    return *memory ? 0 : ENOMEM;
}
void free(void* memory) {
    uncount(memory);
    __libc_free(memory);
}
}

namespace scanloupe::test {

AllocationWatch::AllocationWatch() : m_before(taken) {
    most = m_before;
}

std::size_t AllocationWatch::peak() const {
    return most > m_before ? most - m_before : 0;
}

} // namespace scanloupe::test

#endif
