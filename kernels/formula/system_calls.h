#pragma once
// Removes system calls that compiling does not need from a process.
#include <array>
#include <cerrno>
#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace scanloupe::cuda {

/// Makes all later system calls of the process fail with EPERM, except those for memory, clocks, threads and
/// open files. This prevents new files and programs, network access, and signals to other processes. Has no
/// effect if the system does not support it.
/// @pre PR_SET_NO_NEW_PRIVS
inline void keepOnlyCallsOfCompilers() {
    constexpr std::array kept{SYS_read,
                              SYS_write,
                              SYS_close,
                              SYS_fstat,
                              SYS_lseek,
                              SYS_mmap,
                              SYS_munmap,
                              SYS_mprotect,
                              SYS_mremap,
                              SYS_madvise,
                              SYS_brk,
                              SYS_futex,
                              SYS_exit,
                              SYS_exit_group,
                              SYS_rt_sigaction,
                              SYS_rt_sigprocmask,
                              SYS_rt_sigreturn,
                              SYS_sigaltstack,
                              SYS_clock_gettime,
                              SYS_clock_nanosleep,
                              SYS_gettimeofday,
                              SYS_getrandom,
                              SYS_getpid,
                              SYS_gettid,
                              SYS_sched_yield,
                              SYS_getrusage,
                              SYS_sysinfo,
                              SYS_sched_getaffinity,
                              SYS_restart_syscall,
                              SYS_writev};
#if defined(__x86_64__)
    constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
    constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#else
    constexpr unsigned architecture = 0; // rejects all calls: no other machine runs CUDA
#endif
    constexpr unsigned refused = SECCOMP_RET_ERRNO | EPERM;
    std::array<sock_filter, 5 + 2 * kept.size()> program{};
    std::size_t size = 0;
    const auto add = [&](sock_filter instruction) { program[size++] = instruction; };
    add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
    add(BPF_STMT(BPF_RET | BPF_K, refused));
    add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
    for (const long call : kept) {
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1));
        add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    add(BPF_STMT(BPF_RET | BPF_K, refused));
    const sock_fprog filter{static_cast<unsigned short>(size), program.data()};
    static_cast<void>(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
}

} // namespace scanloupe::cuda
