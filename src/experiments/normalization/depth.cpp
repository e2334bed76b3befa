#include "experiments/normalization/depth.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "nn/vector_norm.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

constexpr float probe = 1e-3F;

struct StackState {
    Vector values;
    float mean_square = 0;  // of the last vector that was normalized
};

Vector sublayer(const Vector& values) {
    Vector result;
    result.reserve(values.size());
    for (const float value : values) {
        const float half = 0.5F * value;
        result.push_back(half + 0.1F);
    }
    return result;
}

Vector added(const Vector& a, const Vector& b) {
    Vector result;
    result.reserve(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] + b[i]);
    return result;
}

StackState normalized(const Vector& values, float epsilon) {
    const float square = nn::mean_square<float, float>(values);
    const float stabilized = square + epsilon;
    nn::require_mean_square("RMSNorm", static_cast<double>(stabilized));
    const float root = std::sqrt(stabilized);
    StackState state{{}, square};
    state.values.reserve(values.size());
    for (const float value : values) state.values.push_back(value / root);
    return state;
}

StackState layer(const StackState& state, Placement placement, float epsilon) {
    if (placement == Placement::post_norm) {
        return normalized(added(state.values, sublayer(state.values)), epsilon);
    }
    StackState next = normalized(state.values, epsilon);
    next.values = added(state.values, sublayer(next.values));
    return next;
}

using StatesByDepth = std::map<std::size_t, StackState>;

// The states of one stack after each of the depths.
StatesByDepth states(const Vector& input, const std::vector<std::size_t>& depths,
                     Placement placement, float epsilon) {
    nn::require_vector("RMSNorm", input.size(), static_cast<double>(epsilon));
    StatesByDepth kept;
    for (const std::size_t depth : depths) kept[depth];
    StackState state{input, 0};
    std::size_t done = 0;
    for (auto& [depth, place] : kept) {
        for (; done < depth; ++done) state = layer(state, placement, epsilon);
        place = state;
    }
    return kept;
}

float norm(const Vector& values) {
    float sum = 0;
    for (const float value : values) {
        const float square = value * value;
        sum = sum + square;
    }
    const float root = std::sqrt(sum);
    nn::require_finite("The stack's norm", 0, static_cast<double>(root));
    return root;
}

float sensitivity(const Vector& base, const Vector& moved) {
    Vector slopes;
    slopes.reserve(base.size());
    for (std::size_t i = 0; i < base.size(); ++i) slopes.push_back((moved[i] - base[i]) / probe);
    return norm(slopes);
}

Vector moved_input(Vector input) {
    const float before = input[0];
    input[0] = before + probe;
    // The difference of two neighbours is exact.
    const float moved_by = input[0] - before;
    if (!(std::fabs(moved_by - probe) <= 0.01F * probe)) {
        throw DepthError(InexactMove{before, moved_by});
    }
    return input;
}

}  // namespace

DepthCase book_depth_case() { return {values::ascending_four(), {1, 2, 4, 8, 16, 32}, 1e-6F}; }

Depth depth(const DepthCase& depth_case) {
    const auto& [input, depths, epsilon, final_norm] = depth_case;
    nn::require_vector("RMSNorm", input.size(), static_cast<double>(epsilon));
    const Vector moved = moved_input(input);
    const StatesByDepth post = states(input, depths, Placement::post_norm, epsilon);
    const StatesByDepth post_moved = states(moved, depths, Placement::post_norm, epsilon);
    StatesByDepth pre = states(input, depths, Placement::pre_norm, epsilon);
    StatesByDepth pre_moved = states(moved, depths, Placement::pre_norm, epsilon);
    if (final_norm) {
        for (StatesByDepth* all : {&pre, &pre_moved}) {
            for (auto& [depth, state] : *all) state = normalized(state.values, epsilon);
        }
    }
    Depth evidence{depth_case, {}, {}};
    for (const std::size_t depth : depths) {
        const StackState& last = post.at(depth);
        evidence.rows.push_back({depth, norm(last.values),
                                 sensitivity(last.values, post_moved.at(depth).values),
                                 norm(pre.at(depth).values),
                                 sensitivity(pre.at(depth).values, pre_moved.at(depth).values),
                                 last.mean_square, pre.at(depth).mean_square});
    }
    evidence.checks = output_norm_checks(evidence);
    return evidence;
}

Record inputs(const Depth& evidence) {
    Array depths;
    for (const std::size_t depth : evidence.inputs.depths) depths.items.emplace_back(depth);
    return Record()
        .add("input", figures(evidence.inputs.input, {1}))
        .add("depths", depths)
        .add("epsilon", figure(evidence.inputs.epsilon, {6}))
        .add("final_norm", true, present_if(evidence.inputs.final_norm));
}

Record results(const Depth& evidence) { return Record().add("depth", depth_array(evidence)); }

Array depth_array(const Depth& evidence) {
    Array rows;
    for (const DepthRow& row : evidence.rows) {
        rows.items.push_back(
            Record()
                .add("depth", row.depth)
                .add("post_norm_output_norm", figure(row.post_norm_output_norm, {3}))
                .add("post_norm_sensitivity", figure(row.post_norm_sensitivity, {5}))
                .add("pre_norm_output_norm", figure(row.pre_norm_output_norm, {3}))
                .add("pre_norm_sensitivity", figure(row.pre_norm_sensitivity, {3})));
    }
    return rows;
}

std::vector<Check> output_norm_checks(const Depth& evidence) {
    const auto width = static_cast<double>(evidence.inputs.input.size());
    const auto epsilon = static_cast<double>(evidence.inputs.epsilon);
    Worst post;
    Worst pre;
    const auto consider = [&](Worst& worst, float mean_square, float norm) {
        const auto square = static_cast<double>(mean_square);
        const double expected = std::sqrt(width * square / (square + epsilon));
        // In units: a binary32 sum of squares is off by the width, and half of that enters a root,
        // once in the layer and once in the norm; two quotients, two roots, a sum and the division
        // of each value add less than five, and one is left for second order. Squares below the
        // normal numbers lose 2^-150 each, in the layer before and in the norm after the division,
        // and so does a value that is divided: a root is off by no more than the root of that.
        const double underflow =
            std::sqrt(width) * (std::sqrt(0x1p-149 / (square + epsilon)) + 0x1p-75);
        worst.consider(std::fabs(static_cast<double>(norm) - expected),
                       (width + 6) * binary32_unit * expected + underflow);
    };
    for (const DepthRow& row : evidence.rows) {
        consider(post, row.post_norm_mean_square, row.post_norm_output_norm);
        consider(pre, row.pre_norm_mean_square, row.pre_norm_output_norm);
    }
    const auto check = [](const Worst& worst, const std::string& placement) {
        return worst.check(placement + "-output-norm",
                           "the " + placement +
                               " output norm is sqrt(width * mean_square / (mean_square + "
                               "epsilon)) at every depth");
    };
    std::vector<Check> checks{check(post, "post-norm")};
    if (evidence.inputs.final_norm) checks.push_back(check(pre, "pre-norm"));
    return checks;
}

DepthError::DepthError(InexactMove rejection)
    : std::runtime_error("found " + numeric::shortest(static_cast<double>(rejection.first)) +
                         " as the first value, which moves by " +
                         numeric::shortest(static_cast<double>(rejection.moved_by)) +
                         " in binary32 where 0.001 is meant; accepted: a first value that moves "
                         "by 0.001 to within one percent, as all below 256 do"),
      rejection_(rejection) {}

Vector stack_output(const Vector& input, std::size_t depth, Placement placement, float epsilon) {
    return states(input, {depth}, placement, epsilon).at(depth).values;
}

}  // namespace rmsnorm::experiments::normalization
