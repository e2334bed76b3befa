// Compares enclosures with MPFR at 500 bits:
//     numeric_mpfr_enclosures [--count N] [--seed S]
// N random expressions: each operation of numeric::Enclosure, and RMSNorm's formula of them. Exit
// code 1 when an enclosure does not hold MPFR's result, or is wider than it needs to be.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "numeric/bits.hpp"
#include "numeric/enclosure.hpp"
#include "support/mpfr_real.hpp"

namespace {

using rmsnorm::numeric::Enclosure;

class Arguments {
  public:
    explicit Arguments(std::uint64_t seed) : generator_(seed) {}

    // Of magnitudes from 2^-reach to 2^reach; some with few bits, so that results are exact.
    double next(int reach) {
        const double significand = 1 + static_cast<double>(generator_() >> 12) * 0x1p-52;
        const auto exponent =
            static_cast<int>(generator_() % (2 * static_cast<unsigned>(reach))) - reach;
        const double value = std::ldexp(significand, exponent);
        const double short_value = generator_() % 4 == 0 ? std::floor(significand * 8) / 4 : value;
        return generator_() % 2 == 0 ? short_value : -short_value;
    }
    std::uint64_t below(std::uint64_t limit) { return generator_() % limit; }

  private:
    std::mt19937_64 generator_;
};

// MPFR rounds to nearest at 500 bits: what it gives is off by less than 2^-480 of the largest
// number that took part. An enclosure is as wide as a few units of the working precision at most.
bool holds(const Enclosure& enclosure, const Real& reference, const Real& largest) {
    const Real size = apply(mpfr_abs, largest);
    return holds(enclosure.low(150), enclosure.high(150), reference, size * Real(0x1p-480),
                 size * Real(0x1p-110));
}

struct Case {
    std::string_view name;
    Enclosure enclosure;
    Real reference;
    Real largest;
};

Case random_case(Arguments& arguments) {
    const double x = arguments.next(300);
    const double y = arguments.next(300);
    const Real larger(std::max(std::fabs(x), std::fabs(y)));
    switch (arguments.below(9)) {
        case 0: return {"+", Enclosure(x) + Enclosure(y), apply(mpfr_add, x, y), larger};
        case 1: return {"-", Enclosure(x) - Enclosure(y), apply(mpfr_sub, x, y), larger};
        case 2: {
            const Real product = apply(mpfr_mul, x, y);
            return {"*", Enclosure(x) * Enclosure(y), product, product};
        }
        case 3: {
            const Real quotient = apply(mpfr_div, x, y);
            return {"/", Enclosure(x) / Enclosure(y), quotient, quotient};
        }
        case 4: {
            const Real root = apply(mpfr_sqrt, std::fabs(x));
            return {"sqrt", sqrt(Enclosure(std::fabs(x))), root, root};
        }
        case 5: {
            const double exponent = arguments.next(9);
            const Real power = apply(mpfr_exp, exponent);
            // An argument of 2^9 costs nine bits.
            return {"exp", exp(Enclosure(exponent)), power, power};
        }
        case 6: {
            const double argument = std::fabs(arguments.next(900));
            const Real logarithm = apply(mpfr_log, argument);
            return {"log", log(Enclosure(argument)), logarithm, Real(1)};
        }
        case 7: {
            // exp and log of a number that is an interval already.
            const Enclosure root = sqrt(Enclosure(std::fabs(x)));
            const Real reference = apply(mpfr_sqrt, std::fabs(x));
            return {"exp(log)", exp(log(root)), reference, reference};
        }
        default: break;
    }
    // x_0 / sqrt(mean(x^2) + epsilon), and a row of products.
    const std::size_t width = 1 + arguments.below(300);
    std::vector<Enclosure> row;
    std::vector<float> weights;
    Enclosure squares(0);
    Real sum;
    Real dot;
    Real first;
    Real weight_sum(1e-300);
    Real largest;
    for (std::size_t i = 0; i < width; ++i) {
        const double value = arguments.next(20);
        const auto weight = static_cast<float>(arguments.next(arguments.below(2) == 0 ? 2 : 40));
        row.push_back(sqrt(Enclosure(std::fabs(value))));
        weights.push_back(weight);
        const Real root = apply(mpfr_sqrt, std::fabs(value));
        const Real term = apply(mpfr_mul, root, static_cast<double>(weight));
        dot = apply(mpfr_add, dot, term);
        weight_sum = apply(mpfr_add, weight_sum, std::fabs(static_cast<double>(weight)));
        largest = apply(mpfr_max, largest, root);
        if (i == 0) first = root;
        squares = squares + row.back() * row.back();
        sum = apply(mpfr_add, sum, apply(mpfr_sqr, root));
    }
    if (arguments.below(2) == 0) {
        return {"product", product(weights, row).front(), dot,
                apply(mpfr_mul, largest, weight_sum)};
    }
    const double epsilon = std::fabs(arguments.next(20));
    const Real mean = apply(mpfr_div, sum, static_cast<double>(width));
    const Real norm = apply(mpfr_sqrt, apply(mpfr_add, mean, epsilon));
    const Real reference = apply(mpfr_div, first, norm);
    const Enclosure stabilized =
        squares / Enclosure(static_cast<double>(width)) + Enclosure(epsilon);
    return {"rms-norm", row.front() / sqrt(stabilized), reference, reference};
}

}  // namespace

int main(int argc, char** argv) {
    long count = 10000;
    std::uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::string_view(argv[i]) == "--count") count = std::strtol(argv[i + 1], nullptr, 10);
        if (std::string_view(argv[i]) == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
    }
    Arguments arguments(seed);
    long wrong = 0;
    for (long i = 0; i < count; ++i) {
        const Case one = random_case(arguments);
        if (holds(one.enclosure, one.reference, one.largest)) continue;
        std::cout << one.name << ": [" << one.enclosure.low(45) << ", " << one.enclosure.high(45)
                  << "]\n";
        char text[64];
        mpfr_snprintf(text, sizeof text, "%.44Re", one.reference.get());
        std::cout << "    MPFR: " << text << "\n";
        ++wrong;
    }
    std::cout << count << " enclosures, " << wrong << " wrong\n";
    return wrong == 0 ? 0 : 1;
}
