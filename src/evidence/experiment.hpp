// An experiment as every renderer and the command line see it, whatever it computes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/certificate.hpp"
#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "evidence/record.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::evidence {

/// One call: inputs that are read into it, then the evidence of its run.
class Experiment {
  public:
    virtual ~Experiment() = default;

    /// The declarations; they point into this object and hold its present values.
    virtual std::vector<Input> inputs() = 0;

    /// Fills what was not given from what was, and holds the rules between inputs. Throws
    /// InputRejection.
    virtual void complete(const Given& given) = 0;

    /// Computes twice. Throws InputRejection and the typed errors of the floors below.
    virtual void run() = 0;

    /// What follows speaks of the last run; before one, `results` has the keys and kinds alone.
    virtual Record results() const = 0;
    virtual const std::vector<Check>& checks() const = 0;
    virtual std::string text(Extent extent) const = 0;

    /// The same as a worked derivation; empty where there is none.
    virtual bool explains() const = 0;
    virtual std::string explanation(Extent extent) const = 0;

    /// The exact results of the last run's figures; none where the experiment has no definition of
    /// them.
    virtual bool has_exact_figures() const = 0;
    virtual ExactFigures exact(int bits) const = 0;
};

// By these names an experiment's own functions are found beside its evidence.
template <class Evidence>
Record results_of(const Evidence& evidence) {
    return results(evidence);
}
template <class Evidence>
std::string text_of(const Evidence& evidence, Extent extent) {
    if constexpr (requires { text(evidence, extent); }) {
        return text(evidence, extent);
    } else {
        return default_text(results(evidence), extent);
    }
}

template <class Evidence>
constexpr bool has_explanation = requires(const Evidence& evidence, Extent extent) {
    explanation(evidence, extent);
};
template <class Evidence>
std::string explanation_of(const Evidence& evidence, Extent extent) {
    if constexpr (has_explanation<Evidence>) return explanation(evidence, extent);
    return "";
}

template <class Evidence>
constexpr bool has_exact = requires(const Evidence& evidence, int bits) {
    exact_figures(evidence, bits);
};
template <class Evidence>
ExactFigures exact_figures_of(const Evidence& evidence, int bits) {
    if constexpr (has_exact<Evidence>) return exact_figures(evidence, bits);
    return ExactFigures(bits);
}

enum class Replayed { here, by_itself };

/// The experiment with `Inputs`, whose evidence is what `compute` returns for them. Inputs has
/// `std::vector<Input> declared()` and, where rules hold between inputs, `void complete(const
/// Given&)`. The evidence has `checks`, `Record results(const Evidence&)` and, where the default
/// walk does not serve, `std::string text(const Evidence&, Extent)`. `compute` runs once
/// and the replay is added here, unless it replays itself.
template <class Inputs, auto compute, Replayed replay>
class Declared final : public Experiment {
  public:
    using Evidence = decltype(compute(Inputs{}));

    Inputs& declaration() { return inputs_; }
    Evidence& evidence() { return evidence_; }

    std::vector<Input> inputs() override { return inputs_.declared(); }

    void complete(const Given& given) override {
        if constexpr (requires { inputs_.complete(given); }) inputs_.complete(given);
    }

    void run() override {
        if constexpr (replay == Replayed::here) {
            evidence_ = replayed([&] { return compute(inputs_); });
        } else {
            evidence_ = compute(inputs_);
        }
    }

    Record results() const override { return results_of(evidence_); }
    const std::vector<Check>& checks() const override { return evidence_.checks; }

    std::string text(Extent extent) const override { return text_of(evidence_, extent); }
    bool explains() const override { return has_explanation<Evidence>; }
    std::string explanation(Extent extent) const override {
        return explanation_of(evidence_, extent);
    }

    bool has_exact_figures() const override { return has_exact<Evidence>; }
    ExactFigures exact(int bits) const override { return exact_figures_of(evidence_, bits); }

  private:
    Inputs inputs_;
    Evidence evidence_{};
};

template <class Inputs, auto compute, Replayed replay = Replayed::here>
std::unique_ptr<Experiment> declared() {
    return std::make_unique<Declared<Inputs, compute, replay>>();
}

}  // namespace rmsnorm::evidence
