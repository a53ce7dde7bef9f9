#pragma once
// Declares the exceptions of the program.
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace scanloupe {

/// Base class of all errors: one sentence that says what went wrong, and one that says what to do next.
class Error : public std::runtime_error {
public:
    Error(const std::string& what, std::string nextStep)
        : std::runtime_error(what), m_nextStep(std::move(nextStep)) {}

    /// What the user should do next: a sentence.
    const std::string& nextStep() const noexcept { return m_nextStep; }

private:
    std::string m_nextStep;
};

/// Raised by the kernels layer: a parameter out of its range, a failed allocation, a failed device call.
class KernelError : public Error {
public:
    using Error::Error;
};

/// Raised when the device has too little free memory; the host may do the same work.
class DeviceMemoryShort : public KernelError {
public:
    using KernelError::KernelError;
};

/// Raised when SYCL fails in a run; the host may do the same work.
class SyclFailure : public KernelError {
public:
    using KernelError::KernelError;
};

/// A programming error, such as a broken precondition: only developers can fix it.
class Fault : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// Work was stopped because its `std::stop_token` requested it. Not an `Error`, since nothing failed.
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
};

} // namespace scanloupe
