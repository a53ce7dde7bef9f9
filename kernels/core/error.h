#pragma once
// Declares the exceptions of the program.
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace scanloupe {

/// Base class of all errors. An error has one sentence about the problem and one about the next step.
class Error : public std::runtime_error {
public:
    Error(const std::string& what, std::string nextStep)
        : std::runtime_error(what), m_nextStep(std::move(nextStep)) {}

    /// Returns what the user should do next: a sentence.
    const std::string& nextStep() const noexcept { return m_nextStep; }

private:
    std::string m_nextStep;
};

/// Raised by the kernels layer for a parameter out of range, a failed allocation or a failed device call.
class KernelError : public Error {
public:
    using Error::Error;
};

/// Raised when the device has too little free memory; the same operation may succeed on the host.
class DeviceMemoryShort : public KernelError {
public:
    using KernelError::KernelError;
};

/// Raised when SYCL fails during a computation; the same operation may succeed on the host.
class SyclFailure : public KernelError {
public:
    using KernelError::KernelError;
};

/// A programming error, such as a violated precondition; only developers can fix it.
class Fault : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// Raised when a `std::stop_token` has requested to stop. Not an `Error`, since nothing failed.
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
};

} // namespace scanloupe
