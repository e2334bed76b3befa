#include "evidence/certificate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "evidence/key_value_lines.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::evidence {
namespace {

using numeric::Enclosure;

constexpr int largest_precision = 1024;
constexpr double largest_number = std::numeric_limits<double>::max();

// A number of a record, with the place of its last binary digit.
struct Printed {
    double value;
    int decimals;
    int last_place;
};

int last_place(double value, Precision precision) {
    const bool narrow = precision == Precision::binary32;
    const int least = narrow ? -149 : -1074;
    return value == 0 ? least : std::max(least, std::ilogb(value) - (narrow ? 23 : 52));
}

// The place of the first significant digit of a decimal: -3 in "0.00125", 16 in "2.5e16".
int first_place(const std::string& text) {
    const std::size_t mark = std::min(text.find('e'), text.size());
    const int exponent = mark == text.size() ? 0 : std::stoi(text.substr(mark + 1));
    const auto point = static_cast<int>(std::min(text.find('.'), mark));
    const auto first = static_cast<int>(text.find_first_of("123456789"));
    return exponent + point - first - (first < point ? 1 : 0);
}

// How many decimals the printed number has, fewer than none where it ends before its point.
int last_decimal(double value, Decimals decimals) {
    if (decimals.significant == 0 || value == 0) return decimals.count;
    const double shown = numeric::rounded(std::fabs(value), decimals.significant);
    return decimals.significant - 1 - first_place(numeric::shortest(shown));
}

// Where the precision leaves the distance open, its bound stands for it, and `decided` becomes
// false.
Certificate certificate(const Printed& printed, const Enclosure& exact, double bound,
                        bool& decided) {
    const auto off = exact.units_off(printed.value, printed.decimals);
    const double error = exact.distance_bound(printed.value);
    const auto ulps = exact.distance(printed.value, printed.last_place);
    const double most = std::min(std::ldexp(error, -printed.last_place), largest_number);
    decided = decided && off && ulps;
    return {!off              ? Worth::undecided
            : *off == 0       ? Worth::certified
            : exact.is_zero() ? Worth::artefact
                              : Worth::off,
            off.value_or(0),
            ulps ? *ulps : numeric::rounded(most, 2),
            error,
            exact.least_distance(printed.value),
            bound,
            exact};
}

// Every figure of a record in its order, with its path.
struct Leaf {
    std::string path;
    bool scalar;
    std::vector<Printed> values;
};

class Leaves {
  public:
    explicit Leaves(const Record& record) { visit(record, ""); }

    std::vector<Leaf> found;

  private:
    void visit(const Record& record, const std::string& prefix) {
        for (const Field& field : record.fields) {
            if (field.presence == Presence::absent) continue;
            visit(field.datum, prefix + field.key);
        }
    }

    void visit(const Datum& datum, const std::string& path) {
        if (const auto* record = std::get_if<Record>(&datum.value)) visit(*record, path + "/");
        if (const auto* array = std::get_if<Array>(&datum.value)) {
            for (std::size_t i = 0; i < array->items.size(); ++i) {
                visit(array->items[i], path + "/" + std::to_string(i));
            }
        }
        if (const auto* scalar = std::get_if<Scalar>(&datum.value)) {
            found.push_back({path, true, {printed(scalar->value, *scalar)}});
        }
        if (const auto* figures = std::get_if<TensorFigure>(&datum.value)) {
            found.push_back({path, false, {}});
            for (const double value : figures->tensor.values()) {
                found.back().values.push_back(printed(value, *figures));
            }
        }
    }

    template <class Quoted>
    static Printed printed(double value, const Quoted& as) {
        return {value, last_decimal(value, as.decimals), last_place(value, as.precision)};
    }
};

const ExactFigures::Figure& figure_of(const ExactFigures& exact, const Leaf& leaf) {
    const ExactFigures::Figure* figure = exact.find(leaf.path);
    if (figure == nullptr) throw std::logic_error("no exact result for " + leaf.path);
    if (figure->exact.size() != leaf.values.size() || figure->bounds.size() != leaf.values.size()) {
        throw std::logic_error("exact results of another width for " + leaf.path);
    }
    return *figure;
}

Check error_check(const Certification& certification) {
    Worst worst;
    for (const CertifiedFigure& figure : certification.figures) {
        for (const Certificate& one : figure.certificates) {
            worst.consider(one.error <= one.bound ? one.error : one.least_error, one.bound);
        }
    }
    return worst.check("exact-results",
                       "every figure is as near to its exact result as its derived bound says");
}

}  // namespace

void ExactFigures::add(const std::string& path, std::vector<Enclosure> exact,
                       std::vector<double> bounds) {
    figures_.insert_or_assign(path, Figure{std::move(exact), std::move(bounds)});
}

void ExactFigures::add(const std::string& path, const Enclosure& exact, double bound) {
    add(path, std::vector<Enclosure>{exact}, std::vector<double>{bound});
}

void ExactFigures::given(const std::string& path, std::span<const double> values) {
    add(path, numeric::enclosures(values, bits_), std::vector<double>(values.size(), 0.0));
}

void ExactFigures::add(const std::string& prefix, const ExactFigures& others) {
    for (const auto& [path, figure] : others.figures_) figures_.emplace(prefix + path, figure);
}

const ExactFigures::Figure* ExactFigures::find(const std::string& path) const {
    const auto found = figures_.find(path);
    return found == figures_.end() ? nullptr : &found->second;
}

std::string worth_text(const Certificate& certificate) {
    const std::string beyond = certificate.within_bound() ? "" : ", an error beyond its bound";
    switch (certificate.worth) {
        case Worth::certified: return "certified" + beyond;
        case Worth::artefact: return "artefact: exactly 0" + beyond;
        case Worth::undecided: return "undecided" + beyond;
        case Worth::off: break;
    }
    return "off by " + std::to_string(certificate.units_off) +
           (certificate.units_off == 1 ? " unit" : " units") + " of the last printed digit" +
           beyond;
}

std::string CertifiedFigure::path_of(std::size_t value) const {
    return scalar ? path : path + "/" + std::to_string(value);
}

const CertifiedFigure* Certification::find(const std::string& path) const {
    const auto found =
        std::find_if(figures.begin(), figures.end(),
                     [&](const CertifiedFigure& figure) { return figure.path == path; });
    return found == figures.end() ? nullptr : &*found;
}

Certification certification(const Record& results, const Reference& reference) {
    const std::vector<Leaf> leaves = Leaves(results).found;
    Certification result;
    bool decided = false;
    for (int bits = Enclosure::least_bits; !decided && bits <= largest_precision; bits *= 2) {
        const ExactFigures exact = reference(bits);
        result.figures.clear();
        decided = true;
        for (const Leaf& leaf : leaves) {
            const ExactFigures::Figure& figure = figure_of(exact, leaf);
            CertifiedFigure certified{leaf.path, leaf.scalar, {}};
            for (std::size_t i = 0; i < leaf.values.size(); ++i) {
                certified.certificates.push_back(
                    certificate(leaf.values[i], figure.exact[i], figure.bounds[i], decided));
            }
            result.figures.push_back(std::move(certified));
        }
    }
    result.checks.push_back(error_check(result));
    return result;
}

std::string WorthLine::error() const { return numeric::shortest(certificate->error, 2); }
std::string WorthLine::bound() const { return numeric::shortest(certificate->bound, 2); }
bool WorthLine::plain() const {
    return certificate->worth == Worth::certified && certificate->within_bound();
}

std::vector<WorthLine> worth_lines(const Certification& certification) {
    std::vector<WorthLine> lines;
    for (const CertifiedFigure& figure : certification.figures) {
        const auto& all = figure.certificates;
        const bool alike =
            figure.scalar || std::all_of(all.begin(), all.end(), [](const Certificate& one) {
                return WorthLine{"", &one}.plain();
            });
        if (alike && !all.empty()) {
            lines.push_back({figure.path, &all.front()});
        } else {
            for (std::size_t i = 0; i < all.size(); ++i) {
                lines.push_back({figure.path_of(i), &all[i]});
            }
        }
    }
    return lines;
}

std::string text(const Certification& certification) {
    Lines lines;
    for (const WorthLine& one : worth_lines(certification)) {
        lines.line("digits").part("of", one.of);
        if (!one.plain()) lines.part("error", one.error()).part("bound", one.bound());
        lines.part("worth", worth_text(*one.certificate));
    }
    return lines.str() + "certified=" + summary(certification) + "\n";
}

std::string summary(const Certification& certification) {
    std::array<std::size_t, 4> counts{};
    std::size_t total = 0;
    for (const CertifiedFigure& figure : certification.figures) {
        for (const Certificate& one : figure.certificates) {
            ++counts[static_cast<std::size_t>(one.worth)];
            ++total;
        }
    }
    const auto part = [](std::size_t count, const std::string& name) {
        return count == 0 ? "" : ", " + std::to_string(count) + " " + name;
    };
    return std::to_string(total) + " figures: " + std::to_string(counts[0]) + " certified" +
           part(counts[1], "off in the last digits") +
           part(counts[2], counts[2] == 1 ? "artefact" : "artefacts") +
           part(counts[3], "undecided");
}

}  // namespace rmsnorm::evidence
