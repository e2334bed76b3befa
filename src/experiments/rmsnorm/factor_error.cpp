#include "experiments/rmsnorm/factor_error.hpp"

#include "numeric/decimal.hpp"

namespace rmsnorm::experiments {
namespace {

std::string place(FactorStage stage, double factor, double epsilon) {
    std::string times = numeric::shortest(factor) + " * input";
    switch (stage) {
        case FactorStage::unscaled: return "input with epsilon " + numeric::shortest(epsilon);
        case FactorStage::product: return times;
        case FactorStage::scaled: return times + " with epsilon " + numeric::shortest(epsilon);
        case FactorStage::without_epsilon: return times + " with epsilon 0, for comparison";
    }
    return times;
}

}  // namespace

FactorError::FactorError(FactorStage where, double by, double with_epsilon,
                         const std::string& reason)
    : std::runtime_error(place(where, by, with_epsilon) + ": " + reason),
      stage(where),
      factor(by),
      epsilon(with_epsilon) {}

}  // namespace rmsnorm::experiments
