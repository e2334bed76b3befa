#include "judge/vectors/test_case.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rmsnorm::judge::vectors {
namespace {

constexpr std::uint64_t seed = 2019;

// Equally distributed numbers of a format (Steele, Lea, Flood: SplitMix, 2014).
class Draws {
  public:
    Draws(NumberFormat format, std::uint64_t stream)
        : format_(format), state_(seed + (stream << 32)) {}

    double between(double low, double high) {
        const double share = static_cast<double>(next() >> 11) * 0x1p-53;
        return numeric::round_to(format_, low + (high - low) * share);
    }
    bool one_in(std::uint64_t count) { return next() % count == 0; }
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }

  private:
    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
        return mixed ^ (mixed >> 31);
    }

    NumberFormat format_;
    std::uint64_t state_;
};

enum class Values {
    positive,     // far from mean 0
    mixed,        // of both signs
    unlike_rows,  // each row four times the one before
    one_large,    // one element that outweighs its row
    large,        // squares beyond binary16
    small,        // squares below binary16's numbers
};

enum class Gains {
    powers,  // of two, with signs: products with them are exact
    full,    // all digits of the format, some negative
};

const char* words(Values values) {
    switch (values) {
        case Values::positive: return "positive values";
        case Values::mixed: return "values of both signs";
        case Values::unlike_rows: return "rows of unlike scale";
        case Values::one_large: return "one large value a row";
        case Values::large: return "squares beyond binary16";
        case Values::small: return "squares below the numbers of binary16";
    }
    return "";
}

struct Shape {
    std::size_t rows;
    std::size_t width;
};

class Maker {
  public:
    Maker(NumberFormat format, Direction direction, std::uint64_t stream)
        : draws_(format, stream), format_(format), direction_(direction) {}

    TestCase make(const Shape& shape, Values values, Gains gains, std::size_t turn) {
        TestCase made;
        made.rows = shape.rows;
        made.width = shape.width;
        made.gain_offset = turn % 4 == 3 ? 1 : 0;
        for (std::size_t k = 0; k < shape.rows; ++k) {
            const std::size_t outlier = draws_.below(shape.width);
            for (std::size_t i = 0; i < shape.width; ++i) {
                made.input.push_back(element(values, k, i == outlier));
            }
        }
        for (std::size_t i = 0; i < shape.width; ++i) {
            made.gain.push_back(gain(gains, i, made.gain_offset));
        }
        made.epsilon = epsilon(made, turn);
        made.comment = std::string(words(values)) +
                       (gains == Gains::powers ? ", gains that are powers of two" : ", any gains");
        add_upstream(made);
        return made;
    }

    void add_upstream(TestCase& made) {
        if (direction_ == Direction::forward) return;
        for (std::size_t i = 0; i < made.elements(); ++i) {
            const double size = draws_.between(0.25, 2);
            made.upstream.push_back(draws_.one_in(3) ? -size : size);
        }
    }

    TestCase border(std::string comment, Shape shape, double epsilon, std::vector<double> input,
                    std::vector<double> gain = {}) {
        TestCase made;
        made.comment = std::move(comment);
        made.rows = shape.rows;
        made.width = shape.width;
        made.epsilon = epsilon;
        made.input = std::move(input);
        made.gain = std::move(gain);
        for (double& value : made.input) value = numeric::round_to(format_, value);
        for (std::size_t i = made.gain.size(); i < shape.width; ++i) {
            made.gain.push_back(this->gain(Gains::full, i, 0));
        }
        add_upstream(made);
        return made;
    }

    std::vector<double> drawn(std::size_t count, double factor) {
        std::vector<double> values;
        for (std::size_t i = 0; i < count; ++i) {
            const double size = draws_.between(0.5, 2) * factor;
            values.push_back(draws_.one_in(3) ? -size : size);
        }
        return values;
    }

  private:
    double element(Values values, std::size_t row, bool outlier) {
        const double size = draws_.between(0.5, 2);
        const double signed_size = draws_.one_in(3) ? -size : size;
        switch (values) {
            case Values::positive: return size;
            case Values::mixed: return signed_size;
            case Values::unlike_rows:
                return std::ldexp(signed_size, 2 * static_cast<int>(row % 4) - 3);
            case Values::one_large: return outlier ? 32 * signed_size : signed_size;
            case Values::large: return 256 * size;
            case Values::small: return std::ldexp(signed_size, -13);
        }
        return 0;
    }

    double gain(Gains gains, std::size_t column, double offset) {
        if (gains == Gains::powers) {
            const double size = std::ldexp(1, static_cast<int>(draws_.below(4)) - 2);
            const double power = size * (column % 3 == 1 ? -1 : 1);
            return power - offset;
        }
        const double size = draws_.between(0.375, 2.5);
        return draws_.one_in(4) ? -size : size;
    }

    static double epsilon(const TestCase& made, std::size_t turn) {
        double squares = 0;
        for (const double value : made.input) squares += value * value;
        int exponent = 0;
        std::frexp(squares / static_cast<double>(made.elements()), &exponent);
        switch (turn % 6) {
            case 0: return 1e-5;
            case 1: return std::ldexp(0.75, exponent);
            case 2: return std::ldexp(1.25, exponent - 4);
            case 3: return 1e-6;
            case 4: return std::ldexp(1.5, exponent + 1);
            default: return std::ldexp(1.75, exponent - 8);
        }
    }

    Draws draws_;
    NumberFormat format_;
    Direction direction_;
};

// The power of two whose square is about to leave the arithmetic's normal numbers, downwards.
int subnormal_square(NumberFormat format) {
    switch (format) {
        case NumberFormat::binary64: return -520;
        case NumberFormat::binary16: return -16;
        default: return -68;
    }
}

}  // namespace

std::string_view name(Direction direction) {
    return direction == Direction::forward ? "forward" : "backward";
}

std::vector<TestCase> borders(NumberFormat format, Direction direction) {
    Maker maker(format, direction, 1);
    const auto power = [](int exponent) { return std::ldexp(1.0, exponent); };
    std::vector<TestCase> all;
    all.push_back(maker.border("a batch of none", {0, 4}, 1e-5, {}));
    all.push_back(maker.border("one feature", {3, 1}, 1e-5, {0.75, -3, 0.0078125}));
    all.push_back(maker.border("a zero row between others", {3, 4}, 1e-5,
                               {1, -2, 0.5, 3, 0, 0, 0, 0, -0.25, 4, 1, 0.125}));
    all.push_back(
        maker.border("a zero row without epsilon has no result", {1, 4}, 0, {0, 0, 0, 0}));
    all.back().refuse = true;
    all.push_back(maker.border("zeros of both signs among others", {2, 5}, 1e-5,
                               {-0.0, 1, 0, -2, 0.5, 3, 0.0, -0.0, -0.0, 1}));
    all.push_back(maker.border("gains of zero and of minus one", {2, 6}, 1e-5, maker.drawn(12, 1),
                               {0, -1, 1, -1, 0, 1}));
    all.push_back(
        maker.border("epsilon equals the mean square", {2, 4}, 2.5, {1, -2, 2, 1, -1, 1, 2, -2}));
    all.push_back(maker.border("rows whose neighbors would change them under BatchNorm", {3, 5},
                               1e-5, maker.drawn(15, 1)));
    for (std::size_t i = 5; i < 10; ++i) all.back().input[i] *= 16;
    const int tiny = subnormal_square(format);
    all.push_back(maker.border("squares that are subnormal, or zero", {2, 5}, 1e-5,
                               maker.drawn(10, power(tiny))));
    all.push_back(maker.border("squares beyond binary16", {2, 7}, 1e-5, maker.drawn(14, 320)));
    // Gradients take the third power of the reciprocal.
    const bool cubed = direction == Direction::backward;
    const bool narrow = format == NumberFormat::binary16;
    const int huge = narrow ? 13 : cubed ? 36 : 50;
    all.push_back(maker.border("a huge and a tiny value together", {2, 4}, 1e-5,
                               {power(huge), 1, power(narrow ? -10 : -40), -1,
                                power(narrow ? -12 : -30), power(huge - 4), 2, -0.5}));
    if (narrow) return all;
    const int top = format == NumberFormat::binary64 ? 512 : 64;
    all.push_back(maker.border(cubed ? "huge values, whose reciprocal can still be cubed"
                                     : "squares whose sum just stays below overflow",
                               {1, 6}, 1e-5, maker.drawn(6, power(cubed ? top / 2 + 4 : top - 4))));
    all.push_back(maker.border("squares beyond the arithmetic: a plain program gives zeros", {1, 6},
                               1e-5, maker.drawn(6, power(top + 1))));
    all.back().refuse = true;
    if (format == NumberFormat::binary64) {
        all.push_back(
            maker.border("squares beyond binary32", {2, 6}, 1e-5, maker.drawn(12, power(66))));
    }
    return all;
}

std::vector<TestCase> candidates(NumberFormat format, Direction direction) {
    constexpr Shape shapes[] = {{1, 2}, {2, 2},  {2, 6},  {3, 4},  {3, 9}, {5, 3},
                                {7, 6}, {2, 24}, {4, 17}, {4, 32}, {3, 33}};
    Maker maker(format, direction, 2);
    std::vector<TestCase> all;
    std::size_t turn = 0;
    for (const Shape& shape : shapes) {
        for (const Values values : {Values::positive, Values::mixed, Values::unlike_rows,
                                    Values::one_large, Values::large, Values::small}) {
            for (const Gains gains : {Gains::powers, Gains::full}) {
                all.push_back(maker.make(shape, values, gains, turn));
                turn += gains == Gains::full ? 5 : 1;
            }
        }
    }
    // Long rows, in which a narrow running sum stands still.
    for (const std::size_t width : {96U, 260U}) {
        all.push_back(maker.make({2, width}, Values::positive, Gains::powers, 0));
    }
    if (direction == Direction::backward && numeric::precision(format) < 12) {
        // More ones than a running sum in the format can count.
        const std::size_t rows = (std::size_t{1} << numeric::precision(format)) + 19;
        for (const std::size_t width : {1U, 2U}) {
            TestCase ones = maker.border("more rows of ones than the format counts", {rows, width},
                                         0, std::vector<double>(rows * width, 1.0));
            ones.upstream.assign(rows * width, 1.0);
            all.push_back(std::move(ones));
        }
    }
    return all;
}

}  // namespace rmsnorm::judge::vectors
