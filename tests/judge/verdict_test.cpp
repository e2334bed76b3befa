#include "judge/verdict.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "judge/estimates.hpp"
#include "judge/verdict_record.hpp"

using namespace rmsnorm;
using judge::Answer;
using judge::Tensors;
using judge::Verdict;
using numeric::NumberFormat;

namespace {

// x, gain and y of binary32; y by the plain formula in binary64, rounded once.
struct Case {
    std::size_t rows;
    std::size_t width;
    double epsilon = 1e-5;
    std::vector<double> input = {};
    std::vector<double> gain = {};
    std::vector<double> output = {};

    Case(std::size_t row_count, std::size_t columns) : rows(row_count), width(columns) {
        for (std::size_t i = 0; i < rows * width; ++i) {
            const auto step = static_cast<double>((37 * i + i * i) % 101);
            input.push_back((step - 40) / 64);
        }
        for (std::size_t i = 0; i < width; ++i) gain.push_back(1 + static_cast<double>(i % 7) / 8);
        for (std::size_t k = 0; k < rows; ++k) write_row(k, scale(k, epsilon));
    }

    double mean_square(std::size_t k) const {
        double sum = 0;
        for (std::size_t i = 0; i < width; ++i) sum += input[k * width + i] * input[k * width + i];
        return sum / static_cast<double>(width);
    }
    double scale(std::size_t k, double e) const { return 1 / std::sqrt(mean_square(k) + e); }

    void write_row(std::size_t k, double r) {
        output.resize(rows * width);
        for (std::size_t i = 0; i < width; ++i) {
            output[k * width + i] = static_cast<float>(input[k * width + i] * gain[i] * r);
        }
    }

    Verdict judge() const {
        Tensors tensors;
        tensors.rows = rows;
        tensors.width = width;
        tensors.epsilon = epsilon;
        tensors.gain = gain;
        tensors.input = judge::reader_of(input);
        tensors.output = judge::reader_of(output);
        return judge::judge(tensors);
    }
};

}  // namespace

TEST_CASE("the formula itself is right") {
    const Verdict verdict = Case(3, 10).judge();
    CHECK(verdict.answer == Answer::right);
    CHECK(verdict.rows_outside == 0);
    CHECK(verdict.rows_judged == 3);
    CHECK(verdict.error.max_ulp <= 1);
    CHECK(verdict.findings.empty());
}

TEST_CASE("an output without any error is bounded where a result is not zero") {
    Case exact(2, 2);
    exact.epsilon = 0;
    exact.gain = {0, 1};
    exact.input = {2, -2, 4, 4};
    exact.output = {0, -1, 0, 1};
    const Verdict verdict = exact.judge();
    CHECK(verdict.answer == Answer::right);
    CHECK(verdict.error.max_ulp == 0);
    CHECK(verdict.error.row == 0);
    CHECK(verdict.error.column == 1);
    CHECK(verdict.error.expected == -1);
    // docs/judge.md: to first order (n / 2 + 8) u for the scale, and a few u for the two products;
    // an ulp of 1 is 2 u.
    CHECK(verdict.error.bound_ulp > 0);
    CHECK(verdict.error.bound_ulp < 20);
}

TEST_CASE("no rows at all are right, and rows of no width") {
    CHECK(Case(0, 4).judge().answer == Answer::right);
    CHECK(Case(2, 0).judge().answer == Answer::right);
}

TEST_CASE("another epsilon is named with its value, and where it was found") {
    Case wrong(4, 16);
    for (std::size_t k = 0; k < 4; ++k) wrong.write_row(k, wrong.scale(k, 1e-3));
    const Verdict verdict = wrong.judge();
    CHECK(verdict.answer == Answer::wrong);
    REQUIRE_FALSE(verdict.findings.empty());
    CHECK(verdict.findings[0].explanations[0].id == "epsilon-other");
    CHECK(verdict.findings[0].explanations[0].value == 1e-3);
    CHECK(verdict.findings[0].rows == 4);
    REQUIRE_FALSE(verdict.table.empty());
    CHECK(verdict.table[0].epsilon_low <= 1e-3);
    CHECK(verdict.table[0].epsilon_high >= 1e-3);
}

TEST_CASE("a tail of columns that was left out is a part") {
    Case wrong(5, 18);
    for (std::size_t k = 0; k < 5; ++k) {
        for (const std::size_t i : {16U, 17U}) wrong.output[k * 18 + i] = 0;
    }
    const Verdict verdict = wrong.judge();
    CHECK(verdict.answer == Answer::wrong);
    REQUIRE_FALSE(verdict.findings.empty());
    CHECK(verdict.findings[0].place == judge::Place{"all", "16:18"});
    CHECK(verdict.findings[0].explanations.at(1).id == "zeros");
}

TEST_CASE("one row that was left as it was is a part") {
    Case wrong(5, 9);
    for (std::size_t i = 0; i < 9; ++i) wrong.output[4 * 9 + i] = wrong.input[4 * 9 + i];
    const Verdict verdict = wrong.judge();
    REQUIRE_FALSE(verdict.findings.empty());
    CHECK(verdict.findings[0].place == judge::Place{"4", "all"});
    CHECK(verdict.findings[0].explanations.at(1).id == "copied");
    CHECK(verdict.rows_outside == 1);
}

TEST_CASE("an output that is all zero is wrong in all its parts") {
    Case wrong(3, 9);
    for (double& y : wrong.output) y = 0;
    const Verdict verdict = wrong.judge();
    CHECK(verdict.answer == Answer::wrong);
    REQUIRE_FALSE(verdict.findings.empty());
    CHECK(verdict.findings[0].explanations.back().id == "zeros");
}

TEST_CASE("noise is wrong, and nothing explains it") {
    Case wrong(4, 30);
    for (std::size_t i = 0; i < wrong.output.size(); ++i) {
        wrong.output[i] *= 1 + static_cast<double>((53 * i + i * i) % 17) / 20;
    }
    const Verdict verdict = wrong.judge();
    CHECK(verdict.answer == Answer::wrong);
    REQUIRE_FALSE(verdict.findings.empty());
    CHECK(verdict.findings[0].explanations[0].id == "unknown");
    CHECK_FALSE(verdict.facts.empty());
}

TEST_CASE("a zero row gives zeros, NaN without epsilon, and no verdict with epsilon 0") {
    Case zero(2, 5);
    for (std::size_t i = 0; i < 5; ++i) zero.input[i] = zero.output[i] = 0;
    CHECK(zero.judge().answer == Answer::right);
    Case nan = zero;
    for (std::size_t i = 0; i < 5; ++i) nan.output[i] = std::nan("");
    const Verdict verdict = nan.judge();
    CHECK(verdict.answer == Answer::wrong);
    CHECK(verdict.findings.at(0).explanations[0].id == "epsilon-missing");
    nan.epsilon = 0;
    nan.write_row(1, nan.scale(1, 0));
    for (std::size_t i = 0; i < 5; ++i) nan.output[i] = std::nan("");
    CHECK(nan.judge().answer == Answer::undecided);
}

TEST_CASE("a row whose input is not finite is skipped and told") {
    Case partly(3, 6);
    partly.input[2] = std::nan("");
    for (std::size_t i = 0; i < 6; ++i) partly.output[i] = std::nan("");
    const Verdict verdict = partly.judge();
    CHECK(verdict.answer == Answer::right);
    CHECK(verdict.rows_skipped == 1);
    CHECK(verdict.rows_judged == 2);
    CHECK_FALSE(verdict.facts.empty());
}

TEST_CASE("a row of ones hides what a row of unlike numbers shows") {
    Case ones(1, 8);
    for (std::size_t i = 0; i < 8; ++i) {
        ones.input[i] = 1;
        ones.gain[i] = 1;
    }
    ones.write_row(0, ones.scale(0, 1e-5));
    const Verdict verdict = ones.judge();
    CHECK(verdict.answer == Answer::right);
    const auto blind = [&](const char* id) {
        return std::find(verdict.blind_to.begin(), verdict.blind_to.end(), id) !=
               verdict.blind_to.end();
    };
    CHECK(blind("mean-squared"));
    CHECK(blind("gain-first"));
    CHECK(blind("rows-shifted"));
    CHECK_FALSE(blind("sum-for-mean"));
}

TEST_CASE("explanations that a vector cannot tell apart have a probe that can") {
    Case wrong(1, 8);
    wrong.write_row(0, 1 / std::sqrt(wrong.mean_square(0)));
    const Verdict verdict = wrong.judge();
    CHECK(verdict.answer == Answer::wrong);
    CHECK(verdict.findings.size() > 1);
    Tensors tensors;
    tensors.rows = 1;
    tensors.width = 8;
    tensors.epsilon = 1e-5;
    tensors.gain = wrong.gain;
    const auto probe = judge::find_probe(tensors, verdict.findings).probe;
    REQUIRE(probe);
    CHECK(probe->input.size() == probe->rows * probe->width);
    // Each explanation is compared with every other.
    REQUIRE(probe->tells.size() == verdict.findings.size());
    for (const judge::Telling& telling : probe->tells) {
        CHECK(telling.told_from.size() + telling.not_told_from.size() + 1 ==
              verdict.findings.size());
    }
}

TEST_CASE("what a probe leaves open is named, each pair once") {
    const auto finding = [](const char* id) {
        judge::Finding found;
        found.explanations.push_back({id, "", {}, {}, {}});
        found.hypothesis.emplace();
        found.hypothesis->explanations = found.explanations;
        return found;
    };
    const std::vector<judge::Finding> findings = {finding("a"), finding("b"), finding("c")};
    CHECK(judge::left_open({{0, {1, 2}, {}}, {1, {0, 2}, {}}, {2, {0, 1}, {}}}, findings).empty());
    CHECK(judge::left_open({{0, {2}, {1}}, {1, {2}, {0}}, {2, {0, 1}, {}}}, findings) ==
          "a from b");
    // Only one of the two directions is open.
    CHECK(judge::left_open({{0, {1, 2}, {}}, {1, {2}, {0}}, {2, {0, 1}, {}}}, findings) ==
          "b from a");
}

TEST_CASE("a sum without the first features, or with the last ones twice, is a partial mean") {
    const auto named = [](auto counted) {
        Case wrong(4, 12);
        for (std::size_t k = 0; k < 4; ++k) {
            double sum = 0;
            for (std::size_t i = 0; i < 12; ++i) {
                const double x = wrong.input[12 * k + i];
                sum += counted(i) * x * x;
            }
            wrong.write_row(k, 1 / std::sqrt(sum / 12 + 1e-5));
        }
        const Verdict verdict = wrong.judge();
        CHECK(verdict.answer == Answer::wrong);
        return verdict.findings.front().explanations.front();
    };
    const auto skipped = named([](std::size_t i) { return i < 1 ? 0.0 : 1.0; });
    CHECK(skipped.id == "partial-mean");
    CHECK(skipped.from == 1U);
    CHECK_FALSE(skipped.value);
    CHECK(judge::sentence(skipped) ==
          "the mean square is that of the features from 1 on alone (and the divisor is the width)");
    const auto twice = named([](std::size_t i) { return i < 8 ? 1.0 : 2.0; });
    CHECK(twice.id == "partial-mean");
    CHECK(twice.from == 8U);
    CHECK(twice.value == 2.0);
}

TEST_CASE("a set of rows or columns is told in few characters") {
    using Set = std::vector<std::size_t>;
    CHECK(judge::index_set(Set{0, 1, 2}, 3) == "all");
    CHECK(judge::index_set(Set{7}, 9) == "7");
    CHECK(judge::index_set(Set{4, 5, 6}, 9) == "4:7");
    CHECK(judge::index_set(Set{3, 7, 11}, 12) == "3::4");
    CHECK(judge::index_set(Set{1, 2, 5}, 12) == "1,2,5");
}

TEST_CASE("the decimal with the fewest digits inside an interval") {
    CHECK(judge::shortest_inside(2.97e-4, 3.02e-4) == 3e-4);
    CHECK(judge::shortest_inside(0.12341, 0.12349) == 0.12345);
    CHECK(judge::shortest_inside(5, 5) == 5);
}
