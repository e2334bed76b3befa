// What exp and log cost beside the C library's, for counting instructions or time from outside:
//     valgrind --tool=callgrind numeric_benchmark FUNCTION COUNT
// FUNCTION is exp, log, c-exp, c-log, or exp-arguments and log-arguments, which only produce the
// arguments: the difference of two runs is what a function costs.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string_view>

#include "numeric/bits.hpp"
#include "numeric/elementary.hpp"

namespace {

using namespace rmsnorm;

// Every exponent is as likely as any other, as in sums of squares of unknown scale.
double random_log_argument(std::mt19937_64& random) {
    return numeric::binary64(random() % 0x7ff0000000000000U);
}

// Evenly over all arguments whose exponential is neither infinite nor zero.
double random_exp_argument(std::mt19937_64& random) {
    return -745 + 1454 * (static_cast<double>(random() >> 11) * 0x1p-53);
}

// A pattern of all results, so that none of the calls can be left out.
template <typename Argument, typename Function>
std::uint64_t run(long count, Argument argument, Function function) {
    std::mt19937_64 random(1);
    std::uint64_t all = 0;
    for (long call = 0; call < count; ++call) all ^= numeric::bits(function(argument(random)));
    return all;
}

}  // namespace

int main(int argument_count, char** arguments) {
    const std::string_view function = argument_count > 1 ? arguments[1] : "";
    const long count = argument_count > 2 ? std::atol(arguments[2]) : 1'000'000;
    const auto same = [](double x) { return x; };
    const auto c_exp = [](double x) { return std::exp(x); };
    const auto c_log = [](double x) { return std::log(x); };
    std::uint64_t all = 0;
    if (function == "exp") {
        all = run(count, random_exp_argument, numeric::exp);
    } else if (function == "c-exp") {
        all = run(count, random_exp_argument, c_exp);
    } else if (function == "exp-arguments") {
        all = run(count, random_exp_argument, same);
    } else if (function == "log") {
        all = run(count, random_log_argument, numeric::log);
    } else if (function == "c-log") {
        all = run(count, random_log_argument, c_log);
    } else if (function == "log-arguments") {
        all = run(count, random_log_argument, same);
    } else {
        std::cerr << "usage: numeric_benchmark exp|log|c-exp|c-log|exp-arguments|log-arguments "
                     "[COUNT]\n";
        return 2;
    }
    std::cout << std::hex << all << '\n';
}
