# SPDX-License-Identifier: MIT
"""Check rules of the source tree that no other tool knows; prints each violation and fails if there is one.

- C++ and Python files have at most 800 lines, functions in C++ 100, in Python 80.
- Every pass has a lit file of its name where tests mirror its folder; every lit file there has the name of a pass.
- The compiler includes nothing of the runtime, and the runtime nothing of the compiler, MLIR or LLVM: what they agree
  on is in intel/ABI, which includes nothing of either.
- The core (include, lib) includes nothing of third_party, passes nothing of the back ends.
- A library, which is a folder with a CMakeLists.txt, includes no private header of another: what two of them need is in
  include or third_party/intel/include.
- C++ does not read the environment; in Python only knobs.py does.
- Modules of the Python package do not import each other in a circle, at their beginning or in functions.
- The core of the Python package, which is all of it but the folder tools, imports nothing of that folder: hooks.py
  loads the tools that take part in compilations and launches.
- In Python only compat/changes.py assigns to parts of Triton and torch. Their settings may be set.
- Source files name their licence in the first line, or in the second one after the line that names the file or the
  interpreter. `--add-licence-lines` adds the line where it is missing.
- A number in a pass or an analysis has a comment that states why it is this one.
- Every file ends in a newline and has no tab and no blank at the end of a line.
- Include guards, namespaces and names of passes follow from the folder of a file (check_names.py).
- Texts have none of the words in the table of CONTRIBUTING.md, and titles of commits the form that it states
  (check_words.py).
"""

from __future__ import annotations

import argparse
import ast
import posixpath
import re
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath

import check_names
import check_words
import count_rules

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 800
MAX_FUNCTION_LINES = {".cpp": 100, ".h": 100, ".py": 80}
TEXT = {".cpp", ".h", ".td", ".py", ".cl", ".cmake", ".css", ".html", ".js", ".md", ".sh", ".toml", ".yaml"}

LICENCE = "SPDX-License-Identifier: MIT"
#: The marks that begin and end a comment of one line.
COMMENTS = dict.fromkeys((".c", ".cl", ".cpp", ".h", ".hpp", ".js", ".td"), ("// ", "")) | {
    ".cmake": ("# ", ""),
    ".css": ("/* ", " */"),
    ".py": ("# ", ""),
    ".sh": ("# ", ""),
}

#: (files, forbidden text, what is wrong with it)
FORBIDDEN = (
    (r"^(include|lib)/", r'#include "intel/', "the core includes a header of third_party"),
    (
        r"^(include|lib|bin)/|^third_party/intel/(include/intel|lib)/(?!ABI/|Runtime/|Simulator/|VirtualGPU/)|^python/src/[Cc]ompile",
        r'#include "intel/Runtime/',
        "the compiler includes the runtime",
    ),
    (
        r"^third_party/intel/(include/intel|lib)/(ABI|Runtime|Support)/",
        r'#include "(mlir|llvm|triton)/|#include "intel/(?!ABI/|Runtime/|Support/)',
        "the runtime includes the compiler, MLIR or LLVM",
    ),
    (
        r"^third_party/intel/(include/intel|lib)/ABI/",
        r'#include "intel/(?!ABI/)',
        "what the compiler and the runtime share includes one of them",
    ),
    (
        r"^third_party/intel/(include/intel|lib)/(Analysis|Conversion|Dialect|Pipelines)/",
        r'#include "intel/Target/(CPU|LLVMIR|SPIRV)/',
        "a pass includes a back end",
    ),
    (
        r"^(include|lib|bin|third_party|python/src)/(?!.*(Runtime/Device|VirtualGPU/Settings)\.cpp)",
        r"\bgetenv\(",
        "C++ reads the environment",
    ),
    (r"^python/triton_xe/(?!knobs\.py)", r"os\.(environ|getenv)", "only knobs.py reads the environment"),
)


#: The folder of the package, the file that replaces parts of others, and the one that makes functions from code.
PACKAGE = "python/triton_xe/"
REPLACING, COPYING = f"{PACKAGE}compat/changes.py", f"{PACKAGE}compat/functions.py"
#: The modules that tools consist of, the folder of their files, and the files of the core that may load them: hooks.py
#: loads those that are in use, and `python -m triton_xe` is the command.
TOOLS, TOOLS_FOLDER = "triton_xe.tools", f"{PACKAGE}tools/"
LOADING_TOOLS = (f"{PACKAGE}hooks.py", f"{PACKAGE}__main__.py")
#: The packages that are not assigned to, and their settings, which may be set.
FOREIGN = ("triton", "torch")
SETTINGS = ("triton.knobs", "triton.profiler.flags.flags", "torch._inductor.config")
#: Calls that return the module that their first argument names.
FINDING_MODULES = ("importlib.import_module", "sys.modules.get")


def tracked_files() -> list[str]:
    """Return the files under version control, and those that may come under it: a new file has to follow the rules."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listing.stdout.splitlines() if (ROOT / name).is_file()]


def cpp_blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the first line (from 1) and the length of each block in braces, as clang-format lays them out.

    A line with nothing but the closing brace ends a block; the last line before it that is indented no deeper begins
    it. Of nested blocks the outermost is the longest: that is the function.
    """
    for end, line in enumerate(lines):
        if line.strip() != "}":
            continue
        indent = line.index("}")
        for begin in range(end - 1, -1, -1):
            text = lines[begin]
            if text.strip() and not text.startswith("#") and len(text) - len(text.lstrip()) <= indent:
                yield begin + 1, end - begin + 1
                break


def python_functions(text: str) -> Iterator[tuple[int, int]]:
    """Yield the first line and the length of each function. No expression contains one."""
    blocks: list[ast.AST] = [ast.parse(text)]
    for block in blocks:
        if isinstance(block, ast.FunctionDef | ast.AsyncFunctionDef):
            yield block.lineno, (block.end_lineno or block.lineno) - block.lineno + 1
        children = ast.iter_child_nodes(block)
        blocks.extend(child for child in children if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case))


def check_functions(name: str, text: str) -> Iterator[str]:
    """Yield functions that are too long."""
    suffix = Path(name).suffix
    limit = MAX_FUNCTION_LINES.get(suffix)
    if not limit:
        return
    functions = python_functions(text) if suffix == ".py" else cpp_blocks(text.splitlines())
    for line, length in functions:
        if length > limit:
            yield f"{name}:{line}: expected a function of at most {limit} lines, found {length}"


def check_pass_tests(names: list[str]) -> Iterator[str]:
    """Yield passes without a lit file, and lit files beside those of passes without a pass."""
    for definitions in names:
        folder = re.fullmatch(r"(?:third_party/intel/)?include/(?:intel|triton)/(.*)/Passes\.td", definitions)
        # A conversion to LLVM has a lit file for each family of operations.
        if not folder or folder[1].endswith("ToLLVM"):
            continue
        flags = re.findall(r'Pass<"([\w-]+)"', (ROOT / definitions).read_text())
        intel = "Intel/" if folder[0].startswith("third_party/") else ""
        tests = [Path(name).stem for name in names if re.fullmatch(rf"test/{intel}{folder[1]}/[\w-]+\.mlir", name)]
        for flag in flags:
            if not any(f"-{flag}".endswith(f"-{test}") for test in tests):
                yield f"{definitions}: no lit file of the name of `{flag}` in `test/{intel}{folder[1]}`"
        if folder[1].endswith("/Transforms"):
            words = tuple(f"-{flag}-" for flag in flags)
            for test in tests:
                if not any(is_named_after(test, flag) for flag in words):
                    yield f"{definitions}: the lit file `{test}.mlir` in `{folder[1]}` has the name of no pass"


def check_debug_output(texts: dict[str, str], flags: Collection[str]) -> Iterator[str]:
    """Yield sources of passes that print no debug output, or print it under another name than that of a pass."""
    for name, text in texts.items():
        if "#define GEN_PASS_DEF_" not in text:
            continue
        kind = re.search(r'^#define DEBUG_TYPE "([\w-]+)"$', text, re.MULTILINE)
        if not kind or kind[1] not in flags:
            yield f"{name}: `DEBUG_TYPE` is not the name of a pass"
        elif not re.search(r"\bLDBG\(", text):
            yield f"{name}: `-debug-only={kind[1]}` prints nothing"


def is_named_after(test: str, flag: str) -> bool:
    """Return whether a test is named after a pass (without the prefix of its dialect), perhaps with more words."""
    words = test.split("-")
    return any(flag.endswith(f"-{'-'.join(words[:count])}-") for count in range(1, len(words) + 1))


def licence_line(name: str, text: str) -> str | None:
    """Return the line that names the licence in a file; None where there is none."""
    comment = COMMENTS.get(".cmake" if Path(name).name == "CMakeLists.txt" else Path(name).suffix)
    if not comment:
        return None
    # Some are in C as it was.
    begin, end = ("/* ", " */") if text.startswith("/*") else comment
    return f"{begin}{LICENCE}{end}"


def has_licence(name: str, text: str) -> bool:
    """Return whether the line exists, if it has to."""
    return not text or licence_line(name, text) in (None, *text.splitlines()[:2])


def add_licence(name: str, text: str) -> str:
    """Return the text with the line."""
    if has_licence(name, text):
        return text
    lines = text.splitlines(keepends=True)
    place = 1 if lines[0].startswith(("//===-", "#!")) else 0
    return "".join((*lines[:place], f"{licence_line(name, text)}\n", *lines[place:]))


def add_licences(names: list[str]) -> None:
    """Add the line to the files that lack it."""
    for name in names:
        if licence_line(name, ""):
            text = (ROOT / name).read_text()
            if (changed := add_licence(name, text)) != text:
                (ROOT / name).write_text(changed)


def dotted(node: ast.expr) -> str:
    """Return a name with attributes, such as `a.b.c`; an empty text for other expressions."""
    if isinstance(node, ast.Attribute):
        return f"{value}.{node.attr}" if (value := dotted(node.value)) else ""
    return node.id if isinstance(node, ast.Name) else ""


class Origins:
    """The names in a file that refer to modules of others and what these define."""

    def __init__(self, tree: ast.Module) -> None:
        self.names: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    bound = alias.asname or alias.name.partition(".")[0]
                    self.names[bound] = alias.name if alias.asname else bound
            elif isinstance(node, ast.ImportFrom) and not node.level:
                self.names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.arg) and node.annotation and dotted(node.annotation).endswith("ModuleType"):
                # It may be of any package.
                self.names[node.arg] = FOREIGN[0]
        # Other names for the same things.
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and (origin := self.of(node.value)):
                self.names |= {target.id: origin for target in node.targets if isinstance(target, ast.Name)}

    def of(self, node: ast.expr) -> str:
        """Return where an expression comes from, such as `triton.runtime.cache`, or an empty text."""
        if isinstance(node, ast.Call):
            given = node.args[0] if node.args else None
            if dotted(node.func) in FINDING_MODULES:
                return str(given.value) if isinstance(given, ast.Constant) else FOREIGN[0]
            return self.of(given) if dotted(node.func) in ("getattr", "vars") and given else ""
        if isinstance(node, ast.Subscript):
            return self.of(node.value)
        first, dot, rest = dotted(node).partition(".")
        if not first and isinstance(node, ast.Attribute):
            return self.of(node.value)
        return self.names[first] + dot + rest if first in self.names else ""

    def is_foreign(self, node: ast.expr) -> bool:
        """Return whether an expression is a part of Triton or torch that must not be set, or the table of modules."""
        origin = self.of(node)
        if origin == "sys.modules":
            return True
        is_setting = any(f"{origin}.".startswith(f"{setting}.") for setting in SETTINGS)
        return origin.partition(".")[0] in FOREIGN and not is_setting


def assigned(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions whose parts a statement sets or deletes."""
    if isinstance(node, ast.Assign | ast.Delete):
        targets = node.targets
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = [node.target]
    else:
        return
    for target in targets:
        for part in ast.walk(target):
            if isinstance(part, ast.Attribute | ast.Subscript) and isinstance(part.ctx, ast.Store | ast.Del):
                yield part.value


def check_replacements(name: str, text: str) -> Iterator[str]:
    """Yield assignments to parts of Triton and torch, and changes of code, elsewhere than in the files for them."""
    tree = ast.parse(text)
    origins = Origins(tree)
    for node in ast.walk(tree):
        if name != REPLACING:
            if any(map(origins.is_foreign, assigned(node))):
                yield f"{name}:{node.lineno}: only `{REPLACING}` assigns to parts of Triton and torch"
            if isinstance(node, ast.Call) and dotted(node.func) in ("setattr", "delattr"):
                yield f"{name}:{node.lineno}: only `{REPLACING}` sets attributes by their names"
        if name != COPYING and isinstance(node, ast.keyword | ast.Attribute):
            word = node.arg if isinstance(node, ast.keyword) else node.attr
            if word in ("co_consts", "FunctionType"):
                yield f"{name}:{node.lineno}: only `{COPYING}` makes functions from code"


def module_name(name: str) -> str:
    """Return the module that a file of the package is."""
    return name.removeprefix("python/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imported_modules(tree: ast.Module, known: Iterable[str]) -> Iterator[str]:
    """Yield the modules among `known` that a file imports, wherever in it.

    A name that a package does not have as a module of Python is its own, or an extension module, which imports nothing.
    That Python also runs the packages around a module does not count.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (module := f"{node.module}.{alias.name}") in known:
                    yield module
                elif node.module in known and not alias.name.startswith("_"):
                    yield node.module


def find_circle(imports: dict[str, list[str]]) -> list[str]:
    """Return modules that import each other in a circle, the first one again at the end; empty if there are none."""
    done: set[str] = set()

    def follow(path: list[str]) -> list[str]:
        for module in imports[path[-1]]:
            if module in path:
                return [*path[path.index(module) :], module]
            if module not in done and (circle := follow([*path, module])):
                return circle
        done.add(path[-1])
        return []

    return next((circle for module in sorted(imports) if module not in done and (circle := follow([module]))), [])


def check_imports(texts: dict[str, str]) -> Iterator[str]:
    """Yield a circle of imports in the files of the package."""
    modules = {module_name(name): ast.parse(text) for name, text in texts.items()}
    imports = {module: sorted(set(imported_modules(tree, modules.keys()))) for module, tree in modules.items()}
    if circle := find_circle(imports):
        yield f"{PACKAGE}: modules import each other: {' -> '.join(circle)}"


def named_modules(node: ast.AST) -> Iterator[str]:
    """Yield the modules that a statement imports, or that a call such as `import_module` names; also parts of names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        prefix = "triton_xe." * bool(node.level) + (f"{node.module}." if node.module else "")
        yield from (prefix + alias.name for alias in node.names)
    elif isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in ("import_module", "__import__"):
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


def check_core(name: str, text: str) -> Iterator[str]:
    """Yield imports of tools in a file of the core, wherever in it."""
    if name.startswith(TOOLS_FOLDER) or name in LOADING_TOOLS:
        return
    for node in ast.walk(ast.parse(text)):
        if any(f"{module.rstrip('.')}.".startswith(f"{TOOLS}.") for module in named_modules(node)):
            yield f"{name}:{node.lineno}: the core imports a tool: `{LOADING_TOOLS[0]}` loads those that are in use"


def library_of(name: str, names: Collection[str]) -> PurePosixPath:
    """Return the folder of the library that a file belongs to: the nearest one above it with a CMakeLists.txt."""
    folders = PurePosixPath(name).parents
    return next((folder for folder in folders if str(folder / "CMakeLists.txt") in names), folders[-1])


def check_private_headers(texts: dict[str, str], names: Collection[str]) -> Iterator[str]:
    """Yield includes of headers that are private to another library; `texts` are the sources, `names` all files."""
    for name, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if not (included := re.match(r'\s*#\s*include "([^"]+)"', line)):
                continue
            header = posixpath.normpath(posixpath.join(posixpath.dirname(name), included[1]))
            # A name that leads to no file from here is that of a public header.
            if header in names and (owner := library_of(header, names)) != library_of(name, names):
                yield f"{name}:{number}: the header is private to {owner}"


def check_file(name: str, text: str) -> Iterator[str]:
    """Yield violations in one file."""
    lines = text.splitlines()
    yield from check_functions(name, text)
    if name.startswith(PACKAGE) and name.endswith(".py"):
        yield from check_replacements(name, text)
        yield from check_core(name, text)
    if Path(name).suffix in {".cpp", ".h", ".py"} and len(lines) > MAX_LINES:
        yield f"{name}: expected at most {MAX_LINES} lines, found {len(lines)}"
    if not has_licence(name, text):
        yield f"{name}: no line `{licence_line(name, text)}`"
    if text and not text.endswith("\n"):
        yield f"{name}: no newline at the end"
    for number, line in enumerate(lines, 1):
        if "\t" in line or line != line.rstrip():
            yield f"{name}:{number}: tab, or blank at the end of the line"
    for files, forbidden, reason in FORBIDDEN:
        if re.match(files, name):
            for number, line in enumerate(lines, 1):
                if re.search(forbidden, line):
                    yield f"{name}:{number}: {reason}"


def check_constants(root: Path) -> Iterator[str]:
    """Check that each number which a pass or an analysis decides by has a comment with its source."""
    for constant in count_rules.find_constants(root):
        if not constant.comment:
            yield f"{constant.path}:{constant.line}: `{constant.name}` has no comment that states why it is this number"


def check_language(names: list[str]) -> Iterator[str]:
    """Yield words that the project does not use, and titles of commits of another form."""
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    words = check_words.read_words(contributing)
    for name in names:
        if not check_words.EXCLUDED.match(name):
            yield from check_words.check_words(name, (ROOT / name).read_text(), words)
    areas = check_words.read_areas(contributing) | {Path(name).stem for name in names if name.endswith(".cpp")}
    yield from check_words.check_titles(check_words.new_titles(ROOT), areas)


def main() -> int:
    """Check every tracked text file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--add-licence-lines", action="store_true")
    names = tracked_files()
    if parser.parse_args().add_licence_lines:
        add_licences(names)
    violations = [
        violation
        for name in names
        if Path(name).suffix in TEXT or licence_line(name, "")
        for violation in check_file(name, (ROOT / name).read_text())
    ]
    violations += [
        violation
        for name in names
        if name.endswith((".cpp", ".h", ".td"))
        for violation in check_names.check_names(name, (ROOT / name).read_text())
    ]
    violations += check_pass_tests(names)
    violations += check_constants(ROOT)
    libraries = [name for name in names if re.match(r"(third_party/intel/)?lib/.*\.(cpp|h)$", name)]
    sources = {name: (ROOT / name).read_text() for name in libraries}
    violations += check_private_headers(sources, frozenset(names))
    definitions = "\n".join((ROOT / name).read_text() for name in names if name.endswith("/Passes.td"))
    violations += check_debug_output(sources, re.findall(r'Pass<\s*"([\w-]+)"', definitions))
    package = [name for name in names if name.startswith(PACKAGE) and name.endswith(".py")]
    violations += check_imports({name: (ROOT / name).read_text() for name in package})
    violations += check_language(names)
    print("\n".join(violations), end="\n" if violations else "")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
