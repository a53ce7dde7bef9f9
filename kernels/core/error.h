#pragma once
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace scanloupe {

/// Root of everything that goes wrong: a sentence that says what, and one that says what to do next.
class Error : public std::runtime_error {
public:
    Error(const std::string& what, std::string nextStep)
        : std::runtime_error(what), m_nextStep(std::move(nextStep)) {}

    /// What the user should do next: a sentence.
    const std::string& nextStep() const noexcept { return m_nextStep; }

private:
    std::string m_nextStep;
};

/// Raised by the kernels layer: a parameter out of its range, memory that can't be had, a failed device call.
class KernelError : public Error {
public:
    using Error::Error;
};

/// Raised when the device has too little free memory; the host may do the same work.
class DeviceMemoryShort : public KernelError {
public:
    using KernelError::KernelError;
};

/// A mistake of the program's own, which nobody but its developers can mend: a broken precondition.
class Fault : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// Work was stopped because its `std::stop_token` asked for it. Not an `Error`: nobody did anything wrong.
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
};

} // namespace scanloupe
