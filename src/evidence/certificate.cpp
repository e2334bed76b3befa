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

// Where the last precision leaves the distance open, its bound stands for it.
Certificate certificate(const Printed& printed, const Enclosure& exact, double bound) {
    const auto off = exact.units_off(printed.value, printed.decimals);
    const double error = exact.distance_bound(printed.value);
    const auto ulps = exact.distance(printed.value, printed.last_place);
    const double most = std::min(std::ldexp(error, -printed.last_place), largest_number);
    return {!off              ? Worth::undecided
            : *off == 0       ? Worth::certified
            : exact.is_zero() ? Worth::artefact
                              : Worth::off,
            off.value_or(0),
            ulps.value_or(numeric::rounded(most, 2)),
            error,
            bound,
            exact};
}

bool decided(const Printed& printed, const Enclosure& exact) {
    return exact.units_off(printed.value, printed.decimals) &&
           exact.distance(printed.value, printed.last_place);
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
        if (const auto* figures = std::get_if<Figures>(&datum.value)) {
            found.push_back({path, false, {}});
            for (const double value : figures->tensor.values()) {
                found.back().values.push_back(printed(value, *figures));
            }
        }
    }

    template <class Quoted>
    static Printed printed(double value, const Quoted& as) {
        return {value, as.decimals.count, last_place(value, as.precision)};
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
        for (const Certificate& one : figure.certificates) worst.consider(one.error, one.bound);
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
    switch (certificate.worth) {
        case Worth::certified: return "certified";
        case Worth::artefact: return "artefact: exactly 0";
        case Worth::undecided: return "undecided";
        case Worth::off: break;
    }
    return "off by " + std::to_string(certificate.units_off) +
           (certificate.units_off == 1 ? " unit" : " units") + " of the last printed digit";
}

const CertifiedFigure* Certification::find(const std::string& path) const {
    const auto found =
        std::find_if(figures.begin(), figures.end(),
                     [&](const CertifiedFigure& figure) { return figure.path == path; });
    return found == figures.end() ? nullptr : &*found;
}

Certification certification(const Record& results, const Reference& reference) {
    const std::vector<Leaf> leaves = Leaves(results).found;
    std::vector<ExactFigures> references;
    const auto all_decided = [&] {
        return std::all_of(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
            const ExactFigures::Figure& figure = figure_of(references.back(), leaf);
            for (std::size_t i = 0; i < leaf.values.size(); ++i) {
                if (!decided(leaf.values[i], figure.exact[i])) return false;
            }
            return true;
        });
    };
    for (int bits = Enclosure::least_bits; bits <= largest_precision; bits *= 2) {
        references.assign(1, reference(bits));
        if (all_decided()) break;
    }
    Certification result;
    for (const Leaf& leaf : leaves) {
        const ExactFigures::Figure& figure = figure_of(references.back(), leaf);
        CertifiedFigure certified{leaf.path, leaf.scalar, {}};
        for (std::size_t i = 0; i < leaf.values.size(); ++i) {
            certified.certificates.push_back(
                certificate(leaf.values[i], figure.exact[i], figure.bounds[i]));
        }
        result.figures.push_back(std::move(certified));
    }
    result.checks.push_back(error_check(result));
    return result;
}

std::string text(const Certification& certification) {
    Lines lines;
    const auto add = [&](const std::string& path, const Certificate& one) {
        lines.line("digits").part("of", path);
        if (one.worth != Worth::certified) {
            lines.part("error", numeric::shortest(numeric::rounded(one.error, 2)))
                .part("bound", numeric::shortest(numeric::rounded(one.bound, 2)));
        }
        lines.part("worth", worth_text(one));
    };
    for (const CertifiedFigure& figure : certification.figures) {
        const auto& all = figure.certificates;
        const bool certified = std::all_of(all.begin(), all.end(), [](const Certificate& one) {
            return one.worth == Worth::certified;
        });
        if (figure.scalar || (certified && !all.empty())) {
            add(figure.path, all.front());
        } else {
            for (std::size_t i = 0; i < all.size(); ++i) {
                add(figure.path + "/" + std::to_string(i), all[i]);
            }
        }
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
