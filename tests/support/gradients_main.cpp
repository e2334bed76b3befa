// Judges gradients case by case, for tests from outside. Each case on standard input is a line
//   ROWS WIDTH EPSILON OFFSET INPUT GAIN UPSTREAM INPUT-GRADIENT GAIN-GRADIENT BY-ROW
// (sizes, numbers, five formats, 0 or 1) and then gain, input, upstream, input gradient and gain
// gradient as binary64 in the machine's byte order. The answer is two lines a case:
//   STATE PART-OF-BOUND ID[=VALUE|=DTYPE|=PART] ... fit=FIRST,SECOND doubt=ID ...
#include <cstdio>
#include <string>
#include <vector>

#include "judge/gradient.hpp"

namespace {

using namespace rmsnorm;

judge::ElementReader reader_of(const std::vector<double>& elements) {
    return [&elements](std::size_t first, std::size_t stride, std::span<double> out) {
        for (std::size_t place = 0; place < out.size(); ++place) {
            out[place] = elements.at(first + place * stride);
        }
    };
}

void print(const judge::GradientVerdict& verdict) {
    const char* const states[] = {"right", "imprecise", "wrong", "undecided"};
    std::printf("%s %.4g", states[static_cast<int>(verdict.state)], verdict.worst.part_of_bound);
    for (const judge::GradientExplanation& one : verdict.explanations) {
        std::printf(" %s", one.explanation.id.c_str());
        if (one.explanation.dtype) {
            std::printf("=%s", std::string(numeric::dtype_name(*one.explanation.dtype)).c_str());
        } else if (one.explanation.value) {
            std::printf("=%.4g", *one.explanation.value);
            for (const double number : one.also) std::printf(",%.4g", number);
        } else if (!one.part_rows.empty()) {
            std::printf("=rows:%s,columns:%s,%s", one.part_rows.c_str(), one.part_columns.c_str(),
                        one.explanation.detail.c_str());
        }
    }
    if (verdict.fit_first) std::printf(" fit=%.3g,%.3g", *verdict.fit_first, *verdict.fit_second);
    for (const std::string& id : verdict.doubts) std::printf(" doubt=%s", id.c_str());
    std::printf("\n");
}

}  // namespace

int main() {
    unsigned long rows = 0;
    unsigned long width = 0;
    double epsilon = 0;
    double offset = 0;
    char names[5][8];
    int by_row = 0;
    while (std::scanf("%lu %lu %lf %lf %7s %7s %7s %7s %7s %d", &rows, &width, &epsilon, &offset,
                      names[0], names[1], names[2], names[3], names[4], &by_row) == 10) {
        std::getchar();
        judge::GradientTensors tensors;
        tensors.rows = rows;
        tensors.width = width;
        tensors.epsilon = epsilon;
        tensors.gain_offset = offset;
        judge::NumberFormat formats[5];
        for (int index = 0; index < 5; ++index) {
            formats[index] = numeric::format_named(names[index]).value();
        }
        tensors.formats = {formats[0], formats[1], formats[2], formats[3], formats[4]};
        tensors.gain_gradient_by_row = by_row != 0;
        std::vector<double> arrays[4];
        tensors.gain.resize(width);
        arrays[3].resize(by_row != 0 ? rows * width : width);
        for (int index = 0; index < 3; ++index) arrays[index].resize(rows * width);
        std::size_t read = std::fread(tensors.gain.data(), sizeof(double), width, stdin);
        for (std::vector<double>& array : arrays) {
            read += std::fread(array.data(), sizeof(double), array.size(), stdin);
        }
        if (read != width + 3 * rows * width + arrays[3].size()) return 2;
        tensors.input = reader_of(arrays[0]);
        tensors.upstream = reader_of(arrays[1]);
        tensors.input_gradient = reader_of(arrays[2]);
        tensors.gain_gradient = reader_of(arrays[3]);
        print(judge::judge_input_gradient(tensors));
        print(judge::judge_gain_gradient(tensors));
    }
    return 0;
}
