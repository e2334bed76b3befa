// Compares the enclosure of every figure of the three fixtures with MPFR at 500 bits. Exit code 1
// when one does not hold MPFR's result, is wider than it needs to be, or has no counterpart.
#include <iostream>

#include "evidence/certificate.hpp"
#include "experiments/exhibit/exact.hpp"
#include "experiments/mpfr/definitions.hpp"
#include "experiments/normalization/exact.hpp"
#include "experiments/rmsnorm/exact.hpp"

namespace {

using rmsnorm::evidence::Certification;
using rmsnorm::evidence::CertifiedFigure;

// Measures of rounding itself, which have no definition beside the computed numbers.
bool is_measure(const std::string& path) {
    for (const char* name :
         {"scaled_error", "largest_error", "error_bound", "largest_disagreement/value"}) {
        if (path.ends_with(name)) return true;
    }
    return false;
}

// MPFR's own rounding grows in the 32 layers by less than 2^100, the enclosure's less than that of
// the precision at which its digits are decided.
bool holds(const CertifiedFigure& figure, std::size_t i, const Real& reference) {
    const Real size = apply(mpfr_max, Real(1), apply(mpfr_abs, reference));
    const auto& exact = figure.certificates[i].exact;
    return holds(exact.low(150), exact.high(150), reference, size * Real(0x1p-400),
                 size * Real(0x1p-60));
}

struct Count {
    std::size_t figures = 0;
    std::size_t wrong = 0;
};

template <class Evidence>
void compare(Count& count, const Evidence& evidence, TensorFigure expected) {
    const Certification certification = rmsnorm::evidence::certification(
        results(evidence), [&](int bits) { return exact_figures(evidence, bits); });
    for (const CertifiedFigure& figure : certification.figures) {
        if (is_measure(figure.path)) continue;
        const Reals reference = expected[figure.path];
        expected.erase(figure.path);
        bool good = reference.size() == figure.certificates.size();
        for (std::size_t i = 0; good && i < reference.size(); ++i) {
            good = holds(figure, i, reference[i]);
        }
        count.figures += figure.certificates.size();
        if (good) continue;
        std::cout << figure.path << ": " << reference.size() << " values by MPFR, "
                  << figure.certificates.size() << " enclosures\n";
        for (std::size_t i = 0; i < reference.size() && i < figure.certificates.size(); ++i) {
            char text[64];
            mpfr_snprintf(text, sizeof text, "%.40Re", reference[i].get());
            std::cout << "    [" << figure.certificates[i].exact.low(41) << ", "
                      << figure.certificates[i].exact.high(41) << "] and " << text << "\n";
        }
        ++count.wrong;
    }
    for (const auto& [path, values] : expected) {
        std::cout << path << ": no figure of the program\n";
        ++count.wrong;
    }
}

}  // namespace

int main() {
    using namespace rmsnorm::experiments;
    Count count;
    compare(count, chapter(), figures_of_chapter());
    compare(count, normalization::book(), figures_of_book());
    const Exhibit shown = exhibit();
    compare(count, shown, figures_of_exhibit(shown.seeded.input.values()));
    std::cout << count.figures << " figures, " << count.wrong << " wrong\n";
    return count.wrong == 0 ? 0 : 1;
}
