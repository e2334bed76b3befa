// What a refused call threw: the fields of its case, and its message.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <variant>

namespace rmsnorm::testing {

template <class Case>
struct Rejection {
    Case fields;
    std::string message;
};

/// Runs `action`, which must throw `Error` with the case `Case`. Anything else ends the test.
template <class Error, class Case, class Action>
Rejection<Case> rejection(Action action) {
    try {
        action();
    } catch (const Error& error) {
        INFO("the message is: " << std::string(error.what()));
        REQUIRE(std::holds_alternative<Case>(error.rejection()));
        return {std::get<Case>(error.rejection()), error.what()};
    }
    throw "nothing was refused";
}

}  // namespace rmsnorm::testing
