#include "report/vectors.hpp"

#include <span>
#include <tuple>
#include <utility>

#include "numeric/decimal.hpp"
#include "report/json.hpp"
#include "report/json_text.hpp"
#include "report/vectors_notes.hpp"
#include "report/version.hpp"

namespace rmsnorm::report {
namespace {

using judge::vectors::Accepted;
using judge::vectors::Direction;
using judge::vectors::TestVector;
using judge::vectors::VectorSet;
class SetWriter {
  public:
    explicit SetWriter(const VectorSet& set) : set_(set) {}

    std::string write() && {
        text_.open('{');
        member("schema_version", std::uint64_t{json_schema_version});
        member("fixture", vectors_name(set_.format, set_.direction));
        member("algorithm", "RMSNorm");
        member("dtype", numeric::dtype_name(set_.format));
        member("direction", name(set_.direction));
        open("generator", '{');
        member("name", program_name);
        member("version", program_version());
        text_.close('}');
        member("number_of_tests", std::uint64_t{set_.tests.size()});
        write_notes();
        write_groups();
        text_.close('}');
        return std::move(text_).str();
    }

  private:
    void open(std::string_view key, char bracket) {
        text_.key(key);
        text_.open(bracket);
    }
    void member(std::string_view key, std::string_view value) {
        text_.key(key);
        text_.add(value);
    }
    void member(std::string_view key, std::uint64_t value) {
        text_.key(key);
        text_.add(value);
    }
    void member(std::string_view key, double value) {
        text_.key(key);
        text_.add_number(numeric::shortest(value));
    }
    void member(std::string_view key, const std::vector<std::string>& values) {
        text_.key(key);
        text_.add_texts(values);
    }

    void write_notes() {
        open("notes", '{');
        for (const std::string& flag : set_.flags()) {
            open(flag, '{');
            member("id", flag);
            member("description", vectors_note(flag, set_.direction));
            member("reports", public_reports(flag, set_.direction));
            text_.close('}');
        }
        text_.close('}');
    }

    void write_groups() {
        std::vector<std::vector<const TestVector*>> groups;
        const auto key = [](const TestVector& one) {
            return std::tuple(one.test.epsilon, one.test.gain_offset, one.test.rows,
                              one.test.width);
        };
        for (const TestVector& test : set_.tests) {
            auto group = groups.begin();
            while (group != groups.end() && key(*group->front()) != key(test)) ++group;
            if (group == groups.end()) group = groups.emplace(group);
            group->push_back(&test);
        }
        open("groups", '[');
        for (const auto& group : groups) {
            const judge::vectors::TestCase& common = group.front()->test;
            text_.open('{');
            member("epsilon", common.epsilon);
            member("gain_offset", common.gain_offset);
            member("rows", std::uint64_t{common.rows});
            member("width", std::uint64_t{common.width});
            open("tests", '[');
            for (const TestVector* test : group) write_test(*test);
            text_.close(']');
            text_.close('}');
        }
        text_.close(']');
    }

    void write_test(const TestVector& vector) {
        text_.open('{');
        member("id", std::uint64_t{vector.id});
        member("comment", vector.test.comment);
        member("flags", vector.flags());
        member("result", vector.test.refuse ? "refuse" : "valid");
        member("input", bits(vector.test.input));
        member("gain", bits(vector.test.gain));
        if (set_.direction == Direction::backward) {
            member("upstream", bits(vector.test.upstream));
        }
        for (const Accepted& accepted : vector.trial.accepted) {
            open(accepted.tensor, '{');
            text_.key("exact");
            text_.add_numbers(
                words(accepted.exact, [](double value) { return numeric::shortest(value); }));
            member("low", bits(accepted.low));
            member("high", bits(accepted.high));
            text_.close('}');
        }
        if (!vector.recipes.empty()) {
            open("recipes", '{');
            for (const auto& fixed : vector.recipes) {
                member(fixed.recipe, bits(fixed.output));
            }
            text_.close('}');
        }
        text_.close('}');
    }

    template <class Word>
    static std::vector<std::string> words(std::span<const double> values, Word word) {
        std::vector<std::string> all;
        for (const double value : values) all.push_back(word(value));
        return all;
    }

    std::vector<std::string> bits(std::span<const double> values) const {
        return words(values, [&](double value) { return numeric::hex(set_.format, value); });
    }

    const VectorSet& set_;
    JsonText text_;
};

}  // namespace

std::string vectors_name(judge::NumberFormat format, Direction direction) {
    return "vectors-" + std::string(numeric::dtype_name(format)) + "-" +
           std::string(name(direction));
}

std::string vectors_file_name(judge::NumberFormat format, Direction direction) {
    return std::string(numeric::dtype_name(format)) + "-" + std::string(name(direction)) + ".json";
}

std::string json(const VectorSet& set) { return SetWriter(set).write(); }

}  // namespace rmsnorm::report
