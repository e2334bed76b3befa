// What the printed digits of figures are worth, beside the exact results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/record.hpp"
#include "numeric/enclosure.hpp"

namespace rmsnorm::evidence {

/// The exact results of an experiment's figures, each under its path in the record of results
/// ("scales/0/base"), and for each a bound of what rounding may have done to it.
class ExactFigures {
  public:
    explicit ExactFigures(int bits) : bits_(bits) {}

    /// The precision with which to enclose.
    int bits() const { return bits_; }

    /// One number a value of the figure, in its order; as many bounds.
    void add(const std::string& path, std::vector<numeric::Enclosure> exact,
             std::vector<double> bounds);
    void add(const std::string& path, const numeric::Enclosure& exact, double bound);

    /// Figures that are what was put in: exact as they are.
    void given(const std::string& path, std::span<const double> values);
    void given(const std::string& path, double value) { given(path, {&value, 1}); }

    /// Another experiment's figures under a path of their own.
    void add(const std::string& prefix, const ExactFigures& others);

    struct Figure {
        std::vector<numeric::Enclosure> exact;
        std::vector<double> bounds;
    };

    /// Nothing when the path has no exact result.
    const Figure* find(const std::string& path) const;

  private:
    int bits_;
    std::map<std::string, Figure> figures_;
};

/// The exact results at a precision.
using Reference = std::function<ExactFigures(int bits)>;

enum class Worth {
    certified,  // the exact result rounds to the printed digits
    off,        // it rounds to others
    artefact,   // it is exactly zero, and the printed digits are not
    undecided,  // no precision up to the largest told
};

/// What one number is worth.
struct Certificate {
    Worth worth;
    std::uint64_t units_off;  // of the last printed digit
    double error_ulp;         // distance to the exact result in units of the last binary place
    double error;             // the same distance, at most
    double least_error;       // and at least
    double bound;             // what rounding may have done, derived from the operations
    numeric::Enclosure exact;

    /// Whether the error may be within its bound: an enclosure that is too wide to tell is no
    /// fault.
    bool within_bound() const { return error <= bound || least_error <= bound; }
};

/// "certified", "off by 3 units of the last printed digit", "artefact: exactly 0", "undecided"; and
/// where the error is beyond its bound, that.
std::string worth_text(const Certificate& certificate);

struct CertifiedFigure {
    std::string path;
    bool scalar;
    std::vector<Certificate> certificates;  // one a value

    /// Of one value: "primary/output/1".
    std::string path_of(std::size_t value) const;
};

struct Certification {
    std::vector<CertifiedFigure> figures;  // in the order of the record
    std::vector<Check> checks;

    const CertifiedFigure* find(const std::string& path) const;
};

/// Certifies every scalar and tensor of the record. Throws std::logic_error when the reference
/// lacks one of them, or has another number of values.
Certification certification(const Record& results, const Reference& reference);

/// What one line tells of: a scalar, a tensor whose values are all certified, by the first of them,
/// or one value of a tensor.
struct WorthLine {
    std::string of;  // the path
    const Certificate* certificate;

    /// What a reader needs unless the digits are certified: the error and its bound.
    std::string error() const;
    std::string bound() const;
    bool plain() const;
};

std::vector<WorthLine> worth_lines(const Certification& certification);

/// The lines and the summary.
std::string text(const Certification& certification);

/// "49 figures: 47 certified, 2 artefacts".
std::string summary(const Certification& certification);

}  // namespace rmsnorm::evidence
