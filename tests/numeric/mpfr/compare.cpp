// Compares exp, log, and sine and cosine of turns with MPFR:
//     numeric_mpfr [--count N] [--seed S]
// N random arguments for each function, besides the arguments that are always tried. Prints what it
// did; a difference names the function, the argument, and both results. Exit code 1 on a
// difference.
#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "numeric/bits.hpp"
#include "numeric/elementary.hpp"
#include "numeric/elementary_phases.hpp"
#include "numeric/sincos_2pi.hpp"

namespace {

using namespace rmsnorm;
using numeric::binary64;
using numeric::bits;
using numeric::hex;

struct Totals {
    long compared = 0;
    long uncertain = 0;  // arguments that the fast phase left to the accurate one
    long forced = 0;     // arguments for which the accurate phase ran although it need not have
    long wrong = 0;
};

// One function of the product with its phases, and MPFR's.
struct Subject {
    std::string_view name;
    double (*rounded)(double);
    bool (*needs_phases)(double);
    numeric::FastResult (*fast)(double);
    double (*accurate)(double);
    int (*reference)(mpfr_t, const mpfr_t, mpfr_rnd_t);
};

class Reference {
  public:
    Reference() {
        // Binary64's exponents, with which mpfr_subnormalize rounds as binary64 does.
        mpfr_set_emin(-1073);
        mpfr_set_emax(1024);
        mpfr_inits2(53, argument_, result_, static_cast<mpfr_ptr>(nullptr));
    }
    ~Reference() { mpfr_clears(argument_, result_, static_cast<mpfr_ptr>(nullptr)); }
    Reference(const Reference&) = delete;
    Reference& operator=(const Reference&) = delete;

    double nearest(const Subject& subject, double x) {
        mpfr_set_d(argument_, x, MPFR_RNDN);
        const int inexact = subject.reference(result_, argument_, MPFR_RNDN);
        mpfr_subnormalize(result_, inexact, MPFR_RNDN);
        return mpfr_get_d(result_, MPFR_RNDN);
    }

  private:
    mpfr_t argument_;
    mpfr_t result_;
};

bool same(double a, double b) {
    return numeric::same_bits(a, b) || (std::isnan(a) && std::isnan(b));
}

void report(const Subject& subject, std::string_view phase, double x, double found, double right) {
    std::cout << subject.name << " (" << phase << ") of " << hex(x) << ": found " << hex(found)
              << ", MPFR " << hex(right) << '\n';
}

void compare(const Subject& subject, double x, Reference& reference, Totals& totals) {
    const double right = reference.nearest(subject, x);
    ++totals.compared;
    const double found = subject.rounded(x);
    if (!same(found, right)) {
        ++totals.wrong;
        report(subject, "both phases", x, found, right);
    }
    if (!subject.needs_phases(x)) return;
    const numeric::FastResult fast = subject.fast(x);
    if (!fast.certain) ++totals.uncertain;
    // A number prime to the four kinds of random arguments, so that each has its share.
    if (totals.compared % 17 == 0) {
        ++totals.forced;
        const double accurate = subject.accurate(x);
        if (!same(accurate, right)) {
            ++totals.wrong;
            report(subject, "accurate phase", x, accurate, right);
        }
    }
}

// `steps` numbers on either side of `x`, and `x`.
void compare_around(const Subject& subject, double x, int steps, Reference& reference,
                    Totals& totals) {
    double below = x;
    double above = x;
    compare(subject, x, reference, totals);
    for (int step = 0; step < steps; ++step) {
        below = std::nextafter(below, -std::numeric_limits<double>::infinity());
        above = std::nextafter(above, std::numeric_limits<double>::infinity());
        compare(subject, below, reference, totals);
        compare(subject, above, reference, totals);
    }
}

void compare_always(const Subject& subject, Reference& reference, Totals& totals) {
    // Zero, the subnormal and normal numbers next to it, and every power of two with either sign.
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        for (const double sign : {1.0, -1.0}) {
            compare_around(subject, sign * std::ldexp(1.0, exponent), 4, reference, totals);
        }
    }
    // The last result before infinity, the last subnormal ones, the last before zero; as arguments
    // of log, the smallest normal and the largest number.
    for (const double x : {0x1.62e42fefa39efp+9, -0x1.6232bdd7abcd2p+9, -0x1.74385446d71c3p+9,
                           -0x1.74910d52d3051p+9, 0.0, 1.0, 0x1p-1022}) {
        compare_around(subject, x, 2'000, reference, totals);
    }
    compare_around(subject, std::numeric_limits<double>::max(), 2'000, reference, totals);
    for (const double x :
         {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
          std::numeric_limits<double>::quiet_NaN()}) {
        compare(subject, x, reference, totals);
    }
}

double unit_interval(std::mt19937_64& random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

// A random number within `size` of zero whose magnitude has any exponent down to 2^-`octaves` less.
double around_zero(std::mt19937_64& random, double size, int octaves) {
    const int octave = static_cast<int>(random() % static_cast<std::uint64_t>(octaves));
    return std::ldexp(size * (2 * unit_interval(random) - 1), -octave);
}

double random_exp_argument(std::mt19937_64& random, long place) {
    switch (place % 4) {
        case 0: return -746 + 1456 * unit_interval(random);
        case 1:  // subnormal results
            return -708 - 37.5 * unit_interval(random);
        case 2:  // near zero
            return around_zero(random, 1, 56);
        default:  // all patterns
            return binary64(random());
    }
}

double random_log_argument(std::mt19937_64& random, long place) {
    switch (place % 4) {
        case 0:  // all positive numbers
            return binary64(random() % 0x7ff0000000000000U);
        case 1:  // subnormal numbers
            return binary64(random() % 0x0010000000000000U);
        case 2:  // near one
            return 1 + around_zero(random, 0.5, 52);
        default:  // all exponents near one
            return std::ldexp(1 + unit_interval(random), static_cast<int>(random() % 21) - 10);
    }
}

Totals compare_function(const Subject& subject, double (*random_argument)(std::mt19937_64&, long),
                        long count, std::uint64_t seed) {
    Reference reference;
    Totals totals;
    compare_always(subject, reference, totals);
    std::mt19937_64 random(seed);
    for (long place = 0; place < count; ++place) {
        compare(subject, random_argument(random, place), reference, totals);
    }
    std::cout << subject.name << ": " << totals.compared << " compared, " << totals.uncertain
              << " left to the accurate phase, " << totals.forced << " forced through it, "
              << totals.wrong << " wrong\n";
    return totals;
}

// The largest error over `count` steps of a turn, which docs/elementary-functions.md bounds by
// 2^-51.
bool compare_turns(long count, std::uint64_t seed) {
    mpfr_t angle;
    mpfr_t sine;
    mpfr_t cosine;
    mpfr_inits2(120, angle, sine, cosine, static_cast<mpfr_ptr>(nullptr));
    std::mt19937_64 random(seed);
    double largest = 0;
    for (long place = 0; place < count; ++place) {
        const auto step = static_cast<std::uint32_t>(random() % numeric::steps_in_turn);
        const numeric::SineCosine found = numeric::sincos_2pi(step);
        mpfr_const_pi(angle, MPFR_RNDN);
        mpfr_mul_ui(angle, angle, step, MPFR_RNDN);
        mpfr_div_2ui(angle, angle, 23, MPFR_RNDN);
        mpfr_sin_cos(sine, cosine, angle, MPFR_RNDN);
        mpfr_sub_d(sine, sine, found.sine, MPFR_RNDN);
        mpfr_sub_d(cosine, cosine, found.cosine, MPFR_RNDN);
        largest = std::fmax(largest, std::fabs(mpfr_get_d(sine, MPFR_RNDN)));
        largest = std::fmax(largest, std::fabs(mpfr_get_d(cosine, MPFR_RNDN)));
    }
    mpfr_clears(angle, sine, cosine, static_cast<mpfr_ptr>(nullptr));
    std::cout << "turns: " << count << " compared, largest error 2^" << std::log2(largest) << '\n';
    return largest < 0x1p-51;
}

}  // namespace

int main(int argument_count, char** arguments) {
    long count = 200'000;
    std::uint64_t seed = 1;
    for (int place = 1; place < argument_count; place += 2) {
        const std::string_view option = arguments[place];
        if (place + 1 == argument_count || (option != "--count" && option != "--seed")) {
            std::cerr << "usage: numeric_mpfr [--count N] [--seed S]\n";
            return 2;
        }
        if (option == "--count") count = std::atol(arguments[place + 1]);
        if (option == "--seed") seed = std::strtoull(arguments[place + 1], nullptr, 10);
    }
    std::cout << "seed " << seed << '\n';
    const bool turns_hold = compare_turns(count / 4, seed);  // before MPFR's exponents are narrowed
    const Subject exp{
        "exp",   numeric::exp, numeric::exp_needs_phases, numeric::exp_fast, numeric::exp_accurate,
        mpfr_exp};
    const Subject log{
        "log",   numeric::log, numeric::log_needs_phases, numeric::log_fast, numeric::log_accurate,
        mpfr_log};
    const Totals exp_totals = compare_function(exp, random_exp_argument, count, seed);
    const Totals log_totals = compare_function(log, random_log_argument, count, seed);
    return turns_hold && exp_totals.wrong == 0 && log_totals.wrong == 0 ? 0 : 1;
}
