// The message of the InputError that a call throws.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "cli/error.hpp"

namespace rmsnorm::test {

/// Empty when the call throws nothing, which no message is.
template <typename Call>
std::string refusal(Call call) {
    try {
        call();
    } catch (const cli::InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace rmsnorm::test
