// Prints the SHA-256 of the documents of verdicts on fixed outputs and gradients, right and wrong,
// in every format. Two machines that print the same judge the same.
//
// To find where they do not: rmsnorm_judged --documents prints the documents themselves.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "judge/recipe_match.hpp"
#include "judge/verdict_record.hpp"
#include "report/json.hpp"
#include "report/sha256.hpp"

namespace {

using namespace rmsnorm;
using numeric::NumberFormat;

constexpr std::size_t rows = 5;
constexpr std::size_t width = 12;
constexpr double epsilon = 0.001;

enum class Mistake { none, epsilon_missing, gain_missing, scale_low, tail_missing, noise };

struct Case {
    NumberFormat format;
    std::vector<double> input = {};
    std::vector<double> gain = {};
    std::vector<double> upstream = {};
    std::vector<double> output = std::vector<double>(rows * width);
    std::vector<double> input_gradient = std::vector<double>(rows * width);
    std::vector<double> gain_gradient = std::vector<double>(width);

    Case(NumberFormat of, Mistake mistake) : format(of) {
        for (std::size_t i = 0; i < rows * width; ++i) {
            const auto step = static_cast<double>((37 * i + i * i) % 101);
            input.push_back(rounded((step - 40) / 512));
            upstream.push_back(rounded((step * 3 - 140) / 128));
        }
        for (std::size_t i = 0; i < width; ++i) {
            gain.push_back(rounded(0.75 + static_cast<double>(i * i % 7) / 8));
        }
        for (std::size_t row = 0; row < rows; ++row) write(row, mistake);
        for (double& sum : gain_gradient) sum = rounded(sum);
    }

    double rounded(double value) const { return numeric::round_to(format, value); }

    void write(std::size_t row, Mistake mistake) {
        const double* const x = &input[row * width];
        const double* const p = &upstream[row * width];
        double squares = 0;
        double inner = 0;
        for (std::size_t i = 0; i < width; ++i) {
            squares += x[i] * x[i];
            inner += p[i] * gain[i] * x[i];
        }
        const double v = squares / width + (mistake == Mistake::epsilon_missing ? 0 : epsilon);
        double r = 1 / std::sqrt(v);
        if (mistake == Mistake::scale_low) r = numeric::round_to(NumberFormat::bfloat16, r);
        for (std::size_t i = 0; i < width; ++i) {
            const std::size_t at = row * width + i;
            const double g = mistake == Mistake::gain_missing ? 1 : gain[i];
            output[at] = rounded(x[i] * g * r);
            if (mistake == Mistake::tail_missing && i >= 8) output[at] = 0;
            if (mistake == Mistake::noise) output[at] = rounded(p[i]);
            input_gradient[at] = rounded(r * g * p[i] - x[i] * r * r * r * inner / width);
            gain_gradient[i] += p[i] * x[i] * r;
        }
    }

    std::string document() const {
        judge::Tensors tensors;
        tensors.rows = rows;
        tensors.width = width;
        tensors.formats = {format, format, format};
        tensors.epsilon = epsilon;
        tensors.gain = gain;
        tensors.input = judge::reader_of(input);
        tensors.output = judge::reader_of(output);
        judge::GradientTensors gradients;
        gradients.rows = rows;
        gradients.width = width;
        gradients.formats = {format, format, format, format, format};
        gradients.epsilon = epsilon;
        gradients.gain = gain;
        gradients.input = tensors.input;
        gradients.upstream = judge::reader_of(upstream);
        gradients.input_gradient = judge::reader_of(input_gradient);
        gradients.gain_gradient = judge::reader_of(gain_gradient);
        const judge::Verdict verdict = judge::judge(tensors);
        const judge::JudgedGradients judged = judge::judge_gradients(gradients);
        const std::string json = report::json(
            {report::DocumentKind::experiment, "judge", judge::inputs(tensors),
             judge::results(verdict, judge::find_probe(tensors, verdict.findings).probe,
                            judge::recipe_matches(tensors), judged, {}),
             judge::checks(verdict, judged, false)},
            report::Extent::full);
        return json.substr(json.find("\"inputs\""));  // without the program's version
    }
};

}  // namespace

int main(int count, char** words) {
    std::string documents;
    for (const NumberFormat format : numeric::number_formats) {
        for (const Mistake mistake :
             {Mistake::none, Mistake::epsilon_missing, Mistake::gain_missing, Mistake::scale_low,
              Mistake::tail_missing, Mistake::noise}) {
            documents += Case(format, mistake).document();
        }
    }
    const bool whole = count > 1 && std::strcmp(words[1], "--documents") == 0;
    std::puts(whole ? documents.c_str() : report::sha256(documents).c_str());
    return 0;
}
