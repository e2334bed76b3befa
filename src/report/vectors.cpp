#include "report/vectors.hpp"

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>

#include "numeric/decimal.hpp"
#include "report/json.hpp"
#include "report/vectors_notes.hpp"
#include "report/version.hpp"

namespace rmsnorm::report {
namespace {

using judge::vectors::Accepted;
using judge::vectors::Direction;
using judge::vectors::TestVector;
using judge::vectors::VectorSet;
using Json = nlohmann::ordered_json;

std::string text(const std::string& value) { return Json(value).dump(); }

std::string list(std::span<const double> values, const std::function<std::string(double)>& word) {
    std::string line = "[";
    for (const double value : values) line.append(line.size() > 1 ? ", " : "").append(word(value));
    return line + "]";
}

std::string texts(const std::vector<std::string>& values) {
    std::string line = "[";
    for (const std::string& value : values) {
        line.append(line.size() > 1 ? ", " : "").append(text(value));
    }
    return line + "]";
}

// Writes members and items with commas between them and the indent of their depth.
class Writer {
  public:
    void open(const std::string& key, char bracket) {
        start(key);
        bytes_ += bracket;
        ++depth_;
        first_ = true;
    }
    void close(char bracket) {
        --depth_;
        if (!first_) line();
        bytes_ += bracket;
        first_ = false;
    }
    void member(const std::string& key, const std::string& value) {
        start(key);
        bytes_ += value;
    }
    std::string take() { return std::move(bytes_) + "\n"; }

  private:
    void line() { bytes_.append("\n").append(2 * depth_, ' '); }
    void start(const std::string& key) {
        if (!first_) bytes_ += ',';
        if (depth_ > 0) line();
        if (!key.empty()) bytes_ += text(key) + ": ";
        first_ = false;
    }

    std::string bytes_;
    std::size_t depth_ = 0;
    bool first_ = true;
};

class SetWriter {
  public:
    explicit SetWriter(const VectorSet& set) : set_(set) {}

    std::string write() {
        writer_.open("", '{');
        writer_.member("schema_version", std::to_string(json_schema_version));
        writer_.member("fixture", text(vectors_name(set_.format, set_.direction)));
        writer_.member("algorithm", text("RMSNorm"));
        writer_.member("dtype", text(std::string(numeric::dtype_name(set_.format))));
        writer_.member("direction", text(std::string(name(set_.direction))));
        writer_.open("generator", '{');
        writer_.member("name", text(std::string(program_name)));
        writer_.member("version", text(std::string(program_version())));
        writer_.close('}');
        writer_.member("number_of_tests", std::to_string(set_.tests.size()));
        write_notes();
        write_groups();
        writer_.close('}');
        return writer_.take();
    }

  private:
    void write_notes() {
        writer_.open("notes", '{');
        for (const std::string& flag : set_.flags()) {
            writer_.open(flag, '{');
            writer_.member("id", text(flag));
            writer_.member("description", text(vectors_note(flag, set_.direction)));
            writer_.member("reports", texts(public_reports(flag, set_.direction)));
            writer_.close('}');
        }
        writer_.close('}');
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
        writer_.open("groups", '[');
        for (const auto& group : groups) {
            const judge::vectors::TestCase& common = group.front()->test;
            writer_.open("", '{');
            writer_.member("epsilon", numeric::shortest(common.epsilon));
            writer_.member("gain_offset", numeric::shortest(common.gain_offset));
            writer_.member("rows", std::to_string(common.rows));
            writer_.member("width", std::to_string(common.width));
            writer_.open("tests", '[');
            for (const TestVector* test : group) write_test(*test);
            writer_.close(']');
            writer_.close('}');
        }
        writer_.close(']');
    }

    void write_test(const TestVector& vector) {
        writer_.open("", '{');
        writer_.member("id", std::to_string(vector.id));
        writer_.member("comment", text(vector.test.comment));
        writer_.member("flags", texts(vector.flags()));
        writer_.member("result", text(vector.test.refuse ? "refuse" : "valid"));
        writer_.member("input", bits(vector.test.input));
        writer_.member("gain", bits(vector.test.gain));
        if (set_.direction == Direction::backward) {
            writer_.member("upstream", bits(vector.test.upstream));
        }
        for (const Accepted& accepted : vector.trial.accepted) {
            writer_.open(accepted.tensor, '{');
            writer_.member("exact", list(accepted.exact,
                                         [](double value) { return numeric::shortest(value); }));
            writer_.member("low", bits(accepted.low));
            writer_.member("high", bits(accepted.high));
            writer_.close('}');
        }
        if (!vector.recipes.empty()) {
            writer_.open("recipes", '{');
            for (const auto& fixed : vector.recipes) {
                writer_.member(fixed.recipe, bits(fixed.output));
            }
            writer_.close('}');
        }
        writer_.close('}');
    }

    std::string bits(std::span<const double> values) const {
        return list(values, [&](double value) { return text(numeric::hex(set_.format, value)); });
    }

    const VectorSet& set_;
    Writer writer_;
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
