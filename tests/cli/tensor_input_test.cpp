#include "cli/input/tensor_input.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "cli/input/case.hpp"
#include "numeric/bits.hpp"
#include "support/readers.hpp"
#include "support/refusal.hpp"

using namespace rmsnorm;
using namespace std::string_literals;
using cli::NpyStream;
using cli::read_tensor;
using tensor::Tensor;
using Shape = std::vector<std::size_t>;

namespace {

// A folder of its own for each test, gone afterwards.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "values-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string path(const std::string& name) const { return (path_ / name).string(); }

    /// The path of a new file of these bytes.
    std::string file(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

    /// The path of a FIFO into which a thread writes these bytes and closes it.
    std::string fifo(const std::string& name, std::string bytes, std::thread& writer) const {
        REQUIRE(::mkfifo(path(name).c_str(), 0600) == 0);
        writer = std::thread([path = path(name), bytes = std::move(bytes)] {
            std::ofstream(path, std::ios::binary) << bytes;
        });
        return path(name);
    }

  private:
    std::filesystem::path path_;
};

// `path` as standard input for the lifetime.
class StandardInput {
  public:
    explicit StandardInput(const std::string& path) : saved_(::dup(STDIN_FILENO)) {
        const int file = ::open(path.c_str(), O_RDONLY | O_NOCTTY);
        REQUIRE(file >= 0);
        ::dup2(file, STDIN_FILENO);
        ::close(file);
    }
    ~StandardInput() {
        ::dup2(saved_, STDIN_FILENO);
        ::close(saved_);
    }
    StandardInput(const StandardInput&) = delete;
    StandardInput& operator=(const StandardInput&) = delete;

  private:
    int saved_;
};

std::string npy(const Shape& shape, const std::vector<double>& elements) {
    std::string scratch;
    return cli::npy_header(shape) + std::string(cli::npy_bytes(elements, scratch));
}

std::string file_refusal(const std::string& path, const cli::Limits& limits = {}) {
    std::string message = test::refusal([&] { read_tensor("--input", "@" + path, limits); });
    const std::string origin = "--input @" + path + ": ";
    if (message.starts_with(origin)) message.erase(0, origin.size());
    return message;
}

std::string read_error(const std::string& argument) {
    try {
        read_tensor("--input", argument);
    } catch (const cli::IoError& error) {
        return error.what();
    }
    return "";
}

std::vector<double> counted(std::size_t size) {
    std::vector<double> elements(size);
    for (std::size_t index = 0; index < size; ++index) elements[index] = 0.1 + double(index);
    return elements;
}

// All elements of the stream in blocks of one size.
std::vector<double> in_blocks(NpyStream& stream, std::size_t size) {
    std::vector<double> elements;
    std::vector<double> block(size);
    while (const std::size_t count = stream.read_block(block)) {
        elements.insert(elements.end(), block.begin(),
                        block.begin() + static_cast<std::ptrdiff_t>(count));
    }
    return elements;
}

NpyStream open_stream(const std::string& path) {
    return std::get<NpyStream>(cli::open_tensor("--input", "@" + path));
}

}  // namespace

TEST_CASE("an argument is a list, a file or standard input") {
    const Folder folder;
    const std::string path = folder.file("x.txt", "5 6\n");
    CHECK(test::elements(read_tensor("--input", "3,4")) == std::vector<double>{3, 4});
    CHECK(test::elements(read_tensor("--input", "@" + path)) == std::vector<double>{5, 6});
    const StandardInput input(path);
    CHECK(test::elements(read_tensor("--input", "-")) == std::vector<double>{5, 6});
}

TEST_CASE("a file is read by its content, whatever its name") {
    const Folder folder;
    const auto check = [&](const std::string& bytes) {
        const Tensor values = read_tensor("--input", "@" + folder.file("x.png", bytes));
        CHECK(values.shape() == Shape{2, 2});
        CHECK(test::elements(values) == std::vector<double>{1, 2, 3, 4});
    };
    check("1 2\n3 4\n");
    check("\n [[1, 2], [3, 4]]");
    check("{\"shape\": [2, 2], \"values\": [1, 2, 3, 4]}");
    check(npy({2, 2}, {1, 2, 3, 4}));
}

TEST_CASE("a file that the system does not let read is a reading error, not bad input") {
    const Folder folder;
    CHECK(read_error("@" + folder.path("none")) == "--input @" + folder.path("none") +
                                                       ": cannot read: No such file or directory; "
                                                       "accepted: a readable file");
    CHECK(read_error("@" + folder.path(".")) ==
          "--input @" + folder.path(".") +
              ": cannot read: Is a directory; accepted: a readable file");
    const std::string path = folder.file("x", "1 2");
    CHECK(read_error("@" + path + "/y").find("cannot read: Not a directory") != std::string::npos);
    REQUIRE(::symlink("loop", folder.path("loop").c_str()) == 0);
    CHECK(read_error("@" + folder.path("loop")).find("cannot read: Too many levels") !=
          std::string::npos);
    if (::geteuid() != 0) {
        REQUIRE(::chmod(path.c_str(), 0) == 0);
        CHECK(read_error("@" + path).find("cannot read: Permission denied") != std::string::npos);
    }
    try {
        cli::read_case("--case", folder.path("none"));
        FAIL("a case that does not exist was read");
    } catch (const cli::IoError& error) {
        CHECK(std::string(error.what()) ==
              "--case " + folder.path("none") +
                  ": cannot read: No such file or directory; accepted: a readable file");
    }
}

TEST_CASE("a name with a line end keeps the message on one line") {
    CHECK(read_error("@no\nsuch\x1b").starts_with("--input @no\\nsuch\\x1b: cannot read: "));
}

TEST_CASE("an argument without a file name and an empty file are bad input") {
    const Folder folder;
    CHECK(test::refusal([&] { read_tensor("--input", "@"); }) ==
          "--input @: found no file name; accepted: @ and a file name");
    CHECK(file_refusal(folder.file("empty", "")) ==
          "found no bytes at all; accepted: a .npy file, JSON, or text");
    CHECK(file_refusal("/dev/null") ==
          "found no bytes at all; accepted: a .npy file, JSON, or text");
    const StandardInput input("/dev/null");
    CHECK(test::refusal([&] { read_tensor("--gain", "-"); }) ==
          "--gain -: found no bytes at all; accepted: a .npy file, JSON, or text");
}

TEST_CASE("a FIFO is read to its end, and one that closes early is bad input") {
    const Folder folder;
    const std::string whole = npy({2, 2}, {1, 2, 3, 4});
    const auto read_through = [&](const std::string& bytes) {
        std::thread writer;
        const std::string path = folder.fifo("pipe", bytes, writer);
        std::string result = file_refusal(path);
        writer.join();
        std::filesystem::remove(path);
        return result;
    };
    CHECK(read_through("1 2 3") == "");
    CHECK(read_through(whole) == "");
    CHECK(read_through("").starts_with("found no bytes at all"));
    CHECK(read_through(whole.substr(0, 70)).starts_with("header: found a file of 70 bytes"));
    CHECK(read_through(whole.substr(0, whole.size() - 9))
              .starts_with("data: found an end after 2 values; accepted: the 4 values"));
    CHECK(read_through(whole + "x").starts_with("data: found bytes after the last value"));
    CHECK(read_through("[1, 2").starts_with("line 1, column 6: found the end of the text"));
}

TEST_CASE("a text longer than any buffer is read whole") {
    const Folder folder;
    std::string text;
    std::string json = "[";
    const std::size_t rows = 40000;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::string number = std::to_string(row) + ".5";
        text += number + " -" + number + "\n";
        json += (row > 0 ? ", [" : "[") + number + ", -" + number + "]";
    }
    json += "]";
    for (const std::string& bytes : {text, json}) {
        const Tensor values = read_tensor("--input", "@" + folder.file("x", bytes));
        CHECK(values.shape() == Shape{rows, 2});
        REQUIRE(values.size() == 2 * rows);
        for (std::size_t row = 0; row < rows; ++row) {
            REQUIRE(values[2 * row] == static_cast<double>(row) + 0.5);
            REQUIRE(values[2 * row + 1] == -(static_cast<double>(row) + 0.5));
        }
    }
}

TEST_CASE("each kind of file has the limit of elements") {
    const Folder folder;
    cli::Limits limits;
    limits.max_elements = 4;
    const std::string accepted = "accepted: at most 4 values (--max-elements sets the limit)";
    for (const std::string& bytes : {"1 2 3 4"s, "[1, 2, 3, 4]"s, npy({4}, {1, 2, 3, 4})}) {
        CHECK(file_refusal(folder.file("x", bytes), limits) == "");
    }
    CHECK(file_refusal(folder.file("x", "1 2 3 4 5"), limits) ==
          "line 1, column 9: found more than 4 values; " + accepted);
    CHECK(file_refusal(folder.file("x", "[1, 2, 3, 4, 5]"), limits) ==
          "/4 (line 1): found more than 4 values; " + accepted);
    CHECK(file_refusal(folder.file("x", npy({5}, counted(5))), limits) ==
          "header: found the shape [5], 5 values; " + accepted);
}

TEST_CASE("an endless stream of numbers is refused at the limit") {
    cli::Limits limits;
    limits.max_elements = 1000;
    for (const std::string& line : {"1 2\n"s, "1,\n1,\n"s, "[1,\n1,\n"s}) {
        const Folder folder;
        REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
        // Held open for both directions, so that the writer sees a full pipe and no broken one.
        const int keep = ::open(folder.path("pipe").c_str(), O_RDWR | O_NONBLOCK);
        REQUIRE(keep >= 0);
        std::string bytes;
        while (bytes.size() < 65536) bytes += line;
        REQUIRE(::write(keep, bytes.data(), 65536) == 65536);
        CHECK(file_refusal(folder.path("pipe"), limits) != "");
        ::close(keep);
    }
}

TEST_CASE("JSON that is mostly spaces is refused by its size before it is read") {
    const Folder folder;
    cli::Limits limits;
    limits.max_elements = 1000;
    const std::string accepted = "; accepted: JSON of at most 4024 values, 64 bytes each";
    // A hole of 1 TiB takes no room on the disk, and no time when nobody reads it.
    const std::string path = folder.file("x.json", "[1, " + std::string(8192, ' '));
    std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
    CHECK(file_refusal(path, limits).find(accepted) != std::string::npos);
    // A pipe does not tell its size, and is read until it is too long.
    std::thread writer;
    const std::string pipe = folder.fifo("pipe", "[1," + std::string(325000, ' ') + "2]", writer);
    CHECK(file_refusal(pipe, limits).find(accepted) != std::string::npos);
    writer.join();
}

TEST_CASE("a .npy streams in blocks of any size") {
    const Folder folder;
    const std::vector<double> elements = counted(20000);
    const std::string path = folder.file("x.npy", npy({100, 200}, elements));
    for (const std::size_t size : {1U, 7U, 200U, 8192U, 20000U, 30000U}) {
        CAPTURE(size);
        NpyStream stream = open_stream(path);
        CHECK(stream.header().shape == Shape{100, 200});
        CHECK(in_blocks(stream, size) == elements);
        std::vector<double> block(size);
        CHECK(stream.read_block(block) == 0);
    }
}

TEST_CASE("other types and byte orders stream as they are read whole") {
    const Folder folder;
    for (const std::string descr : {"<f2", ">f2", "<f4", ">f4", ">f8"}) {
        CAPTURE(descr);
        const int width = descr.back() - '0';
        std::string header = cli::npy_header(Shape{50000});
        header.replace(header.find("<f8"), 3, descr);
        std::string data;
        // Bytes 0 to 0x3f in any order make no exponent of all ones.
        for (int byte = 0; byte < 50000 * width; ++byte) {
            data += static_cast<char>((byte * 37 + byte / 64) & 0x3f);
        }
        const std::string path = folder.file("x.npy", header + data);
        const Tensor whole = test::npy_tensor("x", header + data);
        CHECK(test::elements(read_tensor("--input", "@" + path)) == test::elements(whole));
        for (const std::size_t size : {999U, 50000U}) {
            NpyStream stream = open_stream(path);
            CHECK(in_blocks(stream, size) == test::elements(whole));
        }
    }
}

TEST_CASE("a file whose size is not what its header promises is refused as it is opened") {
    const Folder folder;
    const std::string whole = npy({3, 2}, counted(6));
    const auto open_refusal = [&](const std::string& bytes) {
        const std::string path = folder.file("x.npy", bytes);
        return test::refusal([&] { open_stream(path); });
    };
    CHECK(open_refusal(whole) == "");
    CHECK(open_refusal(whole.substr(0, whole.size() - 1))
              .ends_with("data: found an end after 5 values; accepted: the 6 values of the shape "
                         "[3, 2]"));
    CHECK(open_refusal(whole + "\n").find("data: found bytes after the last value") !=
          std::string::npos);
    const std::size_t many = std::size_t{1} << (8 * sizeof(std::size_t) - 5);
    CHECK(open_refusal(npy({many}, counted(6)))
              .find("found an end after 6 values; accepted: the " + std::to_string(many)) !=
          std::string::npos);
}

TEST_CASE("a pipe's promise of many elements takes no memory before they come") {
    const Folder folder;
    const std::size_t many = std::size_t{1} << (8 * sizeof(std::size_t) - 5);
    cli::Limits unlimited;
    unlimited.max_elements = many;
    std::thread writer;
    const std::string path = folder.fifo("pipe", npy({many}, counted(6)), writer);
    const std::string message = file_refusal(path, unlimited);
    writer.join();
    CHECK(message.starts_with("data: found an end after 6 values; accepted: the "));
}

TEST_CASE("a stream names the flat index of a number that is not finite") {
    const Folder folder;
    std::vector<double> elements = counted(30000);
    elements[23456] = -std::numeric_limits<double>::infinity();
    const std::string path = folder.file("x.npy", npy({300, 100}, elements));
    for (const std::size_t size : {100U, 30000U}) {
        NpyStream stream = open_stream(path);
        CHECK(test::refusal([&] { in_blocks(stream, size); }) ==
              "--input @" + path +
                  ": element [234, 56] (flat index 23456): found -inf; accepted: finite numbers");
    }
    CHECK(file_refusal(path).starts_with("element [234, 56] (flat index 23456): found -inf"));
}

TEST_CASE("standard input that somebody has read a part of goes on from there") {
    const Folder folder;
    const std::string path = folder.file("x", "line for somebody else\n" + npy({2}, {3, 4}));
    const StandardInput input(path);
    REQUIRE(::lseek(STDIN_FILENO, 23, SEEK_SET) == 23);
    CHECK(test::elements(read_tensor("--input", "-")) == std::vector<double>{3, 4});
}

TEST_CASE("an axis of zero is allowed to a stream and refused of values") {
    const Folder folder;
    const std::string path = folder.file("x.npy", npy({0, 3}, {}));
    NpyStream stream = open_stream(path);
    std::vector<double> block(10);
    CHECK(stream.header().elements == 0);
    CHECK(stream.read_block(block) == 0);
    CHECK(file_refusal(path) ==
          "header: found the shape [0, 3]; accepted: at least one value: every axis from 1");
}

TEST_CASE("a case is read from its file") {
    const Folder folder;
    const std::string path =
        folder.file("case.json", R"({"input": [[3, 4]], "gain": [1, 2], "epsilon": 0.25})");
    const cli::Case read = cli::read_case("--case", path);
    REQUIRE(read.input.has_value());
    CHECK(read.input->shape() == Shape{1, 2});
    CHECK(read.epsilon == 0.25);
    const StandardInput input(path);
    CHECK(test::elements(*cli::read_case("--case", "-").gain) == std::vector<double>{1, 2});
    const auto refusal = [&](const std::string& bytes) {
        return test::refusal([&] { cli::read_case("--case", folder.file("x", bytes)); });
    };
    const std::string accepted = "; accepted: "s + cli::accepted_case;
    const std::string origin = "--case " + folder.path("x") + ": ";
    CHECK(refusal("3,4") == origin + "byte 1: found no JSON object or array" + accepted);
    CHECK(refusal(npy({1}, {1})) == origin + "byte 1: found a .npy file" + accepted);
    CHECK(refusal("") == origin + "found no bytes at all" + accepted);
    CHECK(refusal("{\0\"\0"s).starts_with(origin + "byte 1: found UTF-16 text"));
}

TEST_CASE("a file's name without an @ is named as such, and numbers are never a file's name") {
    const Folder folder;
    const std::string path = folder.file("3e5", "7");
    CHECK(test::refusal([&] { read_tensor("--input", path); }) ==
          "--input: found " + cli::quoted(path) +
              ", which is the name of a file; accepted: @ before the name of a file, or numbers "
              "such as 3,4");
    CHECK(test::refusal([&] {
              read_tensor("--input", folder.path("none.npy"));
          }).find("accepted: a finite decimal number") != std::string::npos);
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path("."));
    CHECK(read_tensor("--input", "3e5")[0] == 3e5);
    std::filesystem::current_path(before);
}

TEST_CASE("a tensor as documents write it is taken in an argument and in a file") {
    const Folder folder;
    const std::string text = R"({"shape": [1, 2], "values": [3, 4], "display": ["3", "4"],
                                 "bits": ["4008000000000000", "4010000000000000"]})";
    CHECK(read_tensor("--input", text).shape() == Shape{1, 2});
    CHECK(read_tensor("--input", "@" + folder.file("x", text)).shape() == Shape{1, 2});
}

TEST_CASE("the first end of standard input is its end") {
    // The master of a terminal writes what a person types: a line, and Ctrl-D twice.
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(master >= 0);
    REQUIRE(::grantpt(master) == 0);
    REQUIRE(::unlockpt(master) == 0);
    const StandardInput input(::ptsname(master));
    const std::string typed =
        "3 4\n\x04"
        "5 6\n\x04";
    REQUIRE(::write(master, typed.data(), typed.size()) == static_cast<ssize_t>(typed.size()));
    CHECK(test::elements(read_tensor("--input", "-")) == std::vector<double>{3, 4});
    CHECK(test::elements(read_tensor("--input", "-")) == std::vector<double>{5, 6});
    ::close(master);
}

TEST_CASE("lines come one by one, the last with or without its end") {
    cli::ByteStream stream = cli::ByteStream::holding("x", "one\n\r\ntwo\rthree\r\n\nlast");
    for (const char* line : {"one", "", "two\rthree", "", "last"}) CHECK(stream.line(10) == line);
    CHECK_FALSE(stream.line(10).has_value());
    cli::ByteStream ended = cli::ByteStream::holding("x", "one\n");
    CHECK(ended.line(10) == "one");
    CHECK_FALSE(ended.line(10).has_value());
}
