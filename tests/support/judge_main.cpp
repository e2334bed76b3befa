// Judges many small cases that tests write to standard input, one line of the verdict a case.
//
// A case: rows, width, the numbers of the input's, gain's and output's format in the order of
// numeric::number_formats, what is asked for besides (1 for blind spots, 2 for a probe; 64-bit
// each), epsilon, gain offset, gain, input and output (binary64), in the machine's byte order.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/verdict.hpp"

namespace {

using namespace rmsnorm;

template <class Number>
bool take(Number* numbers, std::size_t count) {
    return std::fread(numbers, sizeof(Number), count, stdin) == count;
}

std::string words(const judge::Finding& finding) {
    std::string text;
    for (const judge::Explanation& e : finding.explanations) {
        if (!text.empty()) text += "+";
        text += e.id;
        if (e.dtype) text += ":" + std::string(numeric::dtype_name(*e.dtype));
    }
    if (finding.place) text += "[" + finding.place->rows + ";" + finding.place->columns + "]";
    return text;
}

// " probe=ROWS,WIDTH,EPSILON,INPUT...,GAIN..."
void print_probe(const std::optional<judge::Probe>& probe) {
    if (!probe) return;
    std::printf(" probe=%zu,%zu,%.17g", probe->rows, probe->width, probe->epsilon);
    for (const double value : probe->input) std::printf(",%.17g", value);
    for (const double value : probe->gain) std::printf(",%.17g", value);
}

}  // namespace

int main() {
    std::uint64_t head[6];
    while (take(head, 6)) {
        double scalars[2];
        judge::Tensors tensors;
        tensors.rows = head[0];
        tensors.width = head[1];
        tensors.formats = {numeric::number_formats[head[2]], numeric::number_formats[head[3]],
                           numeric::number_formats[head[4]]};
        tensors.gain.resize(tensors.width);
        std::vector<double> input(tensors.rows * tensors.width);
        std::vector<double> output(input.size());
        if (!take(scalars, 2) || !take(tensors.gain.data(), tensors.width) ||
            !take(input.data(), input.size()) || !take(output.data(), output.size())) {
            return 2;
        }
        tensors.epsilon = scalars[0];
        tensors.gain_offset = scalars[1];
        tensors.input = judge::reader_of(input);
        tensors.output = judge::reader_of(output);
        const judge::Verdict verdict = judge::judge(tensors, (head[5] & 1) != 0);
        const char* answers[] = {"right", "imprecise", "wrong", "undecided"};
        std::printf("%s", answers[static_cast<int>(verdict.answer)]);
        std::printf(" %.17g %.17g", verdict.error.max_ulp, verdict.error.bound_ulp);
        for (const judge::Finding& finding : verdict.findings) {
            std::printf(" %s", words(finding).c_str());
        }
        for (const std::string& id : verdict.doubts) std::printf(" doubt=%s", id.c_str());
        for (const std::string& id : verdict.blind_to) std::printf(" blind=%s", id.c_str());
        if ((head[5] & 2) != 0) print_probe(judge::find_probe(tensors, verdict.findings).probe);
        std::printf("\n");
        std::fflush(stdout);
    }
    return 0;
}
