//===- ChildProcessTest.cpp - Programs that a program starts --------------===//
// SPDX-License-Identifier: MIT

#include "ChildProcess.h"

#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>

using namespace triton::intel::vgpu;
namespace fs = std::filesystem;

namespace {
using Texts = std::vector<std::string>;

struct Fixture {
  Fixture() {
    settings.loader = "/driver/ld.so";
    settings.libraries = "/driver:/more";
    std::string name = fs::temp_directory_path() / "child-XXXXXX";
    folder = mkdtemp(name.data());
  }
  ~Fixture() { fs::remove_all(folder); }
  std::string write(const char *name, const std::string &text) {
    std::ofstream(folder / name) << text;
    return folder / name;
  }
  std::optional<Texts> make(const std::string &path, Texts arguments) {
    return makeChildCommand(settings, "/lib/gpu.so", path, arguments);
  }
  Settings settings;
  fs::path folder;
};

/// A program that the system's loader starts: this one.
const std::string program = fs::canonical("/proc/self/exe");

Texts expectStart(const std::string &name, Texts rest) {
  Texts texts = {"/driver/ld.so",
                 "--library-path",
                 "/driver:/more",
                 "--preload",
                 "/lib/gpu.so",
                 "--argv0",
                 name,
                 program};
  texts.insert(texts.end(), rest.begin(), rest.end());
  return texts;
}

TEST(ChildProcessTest, StartsProgramsByTheDriversLoader) {
  Fixture test;
  EXPECT_EQ(test.make(program, {"its name", "a", "b"}),
            expectStart("its name", {"a", "b"}));
  test.settings.loader.clear();
  EXPECT_FALSE(test.make(program, {"its name"}));
}

TEST(ChildProcessTest, StartsTheInterpretersOfScripts) {
  Fixture test;
  std::string plain = test.write("plain", "#!" + program + "\ntext\n");
  EXPECT_EQ(test.make(plain, {"plain", "a"}),
            expectStart(program, {plain, "a"}));
  // The rest after the interpreter is one argument.
  std::string with = test.write("with", "#! " + program + " -x  -y\ntext\n");
  EXPECT_EQ(test.make(with, {"with"}), expectStart(program, {"-x  -y", with}));
  // A script whose interpreter is a script.
  std::string outer = test.write("outer", "#!" + plain + "\n");
  EXPECT_EQ(test.make(outer, {"outer", "a"}),
            expectStart(program, {plain, outer, "a"}));
}

TEST(ChildProcessTest, LeavesWhatTheLoaderCannotStart) {
  Fixture test;
  EXPECT_FALSE(test.make(test.write("text", "no program"), {"text"}));
  EXPECT_FALSE(test.make(test.write("empty", ""), {"empty"}));
  EXPECT_FALSE(test.make(test.write("none", "#!\n"), {"none"}));
  EXPECT_FALSE(test.make(test.folder / "missing", {"missing"}));
  // Scripts without an end.
  std::string self = test.folder / "self";
  test.write("self", "#!" + self + "\n");
  EXPECT_FALSE(test.make(self, {"self"}));
  // A program of another processor, and one that is cut off.
  std::string bytes(200, '\0');
  std::ifstream(program).read(bytes.data(), 200);
  bytes[18] = 0x28;
  EXPECT_FALSE(test.make(test.write("other", bytes), {"other"}));
  bytes[18] = 0x3e;
  EXPECT_FALSE(test.make(test.write("cut", bytes.substr(0, 70)), {"cut"}));
}

TEST(ChildProcessTest, ReplacesShells) {
  Fixture test;
  EXPECT_EQ(makeShellCommand(test.settings, "/lib/gpu.so", "echo 'it' $1"),
            "exec '/driver/ld.so' '--library-path' '/driver:/more' '--preload' "
            "'/lib/gpu.so' '--argv0' 'sh' '/bin/sh' '-c' "
            "'echo '\\''it'\\'' $1'");
  test.settings.loader.clear();
  EXPECT_FALSE(makeShellCommand(test.settings, "/lib/gpu.so", "true"));
}
} // namespace
