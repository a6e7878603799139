# SPDX-License-Identifier: MIT
"""Write a compiled kernel as C and C++ sources.

The library (`triton_xe.h`) does all the work of a launch. Generated code only describes the kernel and passes its
arguments.
"""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from triton_xe import errors, target
from triton_xe.tools.ahead_of_time import conditions, grids
from triton_xe.tools.ahead_of_time.compilation import Kernel, Version
from triton_xe.tools.ahead_of_time.signature import SCALARS, Parameter

#: Reserved words of C and C++, and names in generated code. Parameters with these names get another one.
_RESERVED = frozenset(
    re.findall(
        r"\w+",
        """alignas alignof and asm auto bitand bitor bool break case catch char class compl concept const const_cast
        constexpr continue decltype default delete do double dynamic_cast else enum explicit export extern false float
        for friend goto if inline int int8_t int16_t int32_t int64_t long mutable namespace new noexcept not nullptr
        operator or private protected public register reinterpret_cast requires restrict return short signed sizeof
        static static_assert static_cast struct switch template this thread_local throw true try typedef typeid
        typename uint8_t uint16_t uint32_t uint64_t union unsigned using virtual void volatile wchar_t while xor NULL
        grid grid_x grid_y grid_z queue values sizes sycl triton_xe cdiv""",
    )
)

#: The C++ types, with SYCL, of elements for which C has no type.
_SYCL_ELEMENTS = {"fp16": "sycl::half", "bf16": "sycl::ext::oneapi::bfloat16"}


def c_name(name: str) -> str:
    """Return the name of a parameter in C."""
    # Python takes all letters of Unicode.
    name = re.sub(r"\W", lambda letter: f"_u{ord(letter[0]):x}", name, flags=re.ASCII)
    return f"{name}_" if name in _RESERVED or name.startswith("triton_xe_") else name


def c_type(kind: str, with_sycl: bool = False) -> str:
    """Return the C or C++ type of an argument that is no descriptor."""
    if not kind.startswith("*"):
        return SCALARS[kind][1] + " "
    element = kind.removeprefix("*")
    const = "const " if element.startswith("k") else ""
    element = element.removeprefix("k")
    if element.startswith("*"):
        return c_type(element, with_sycl) + ("*const *" if const else "*")
    if with_sycl and element in _SYCL_ELEMENTS:
        return f"{const}{_SYCL_ELEMENTS[element]} *"
    # Halves and smaller floats have no type in C.
    known = element in SCALARS and element not in _SYCL_ELEMENTS
    return f"{const}{SCALARS[element][1] if known else 'void'} *"


def _declare(parameter: Parameter, reference: str = "*", with_sycl: bool = False) -> str:
    if parameter.rank:
        return f"const triton_xe_descriptor{parameter.rank} {reference}{c_name(parameter.name)}"
    return c_type(parameter.declared_type or parameter.type, with_sycl) + c_name(parameter.name)


def _comment(text: str, prefix: str) -> str:
    return "\n".join(textwrap.wrap(text, 80, initial_indent=prefix, subsequent_indent=prefix))


def _array(values: Sequence[object], width: int = 80) -> str:
    """Return the elements of an array, in lines."""
    return textwrap.fill(", ".join(map(str, values)), width, initial_indent="    ", subsequent_indent="    ")


def _bytes(content: bytes) -> Iterator[str]:
    for begin in range(0, len(content), 20):
        yield "    " + ",".join(map(str, content[begin : begin + 20])) + ","


@dataclasses.dataclass(frozen=True)
class Sources:
    """The sources of one kernel."""

    #: The name of the functions and files.
    name: str
    kernel: Kernel
    #: Extents in C, as expressions of the arguments; None if the caller passes them.
    grid: tuple[str, str, str] | None

    @property
    def library(self) -> str:
        """Return the prefix of the library's functions that launch."""
        return "triton_xe_sycl" if self.kernel.uses_sycl else "triton_xe_cpu"

    def _summary(self, prefix: str) -> str:
        kernel = self.kernel
        parameters = ", ".join(map(str, kernel.parameters))
        text = _comment(f"Made by `triton-xe compile` of the kernel {kernel.versions[0].name}({parameters})", prefix)
        return f"{text}\n" + _comment(
            f"for {kernel.target}" + f", with {kernel.options}" * bool(kernel.options), prefix
        )

    @property
    def _sized(self) -> dict[str, str]:
        """Return the arguments whose sizes a launch may take, and the names of the sizes in C."""
        kernel = self.kernel
        taken = {c_name(parameter.name) for parameter in kernel.arguments}
        sizes = {}
        for parameter in conditions.compared_pointers(kernel.versions[0].conditions, kernel.parameters):
            size = f"{c_name(parameter.name)}_bytes"
            while size in taken:
                size += "_"
            taken.add(size)
            sizes[parameter.name] = size
        return sizes

    def _conditions(self, prefix: str) -> str:
        """Describe the conditions that decide which version a launch runs."""
        lines = conditions.describe(self.kernel.versions[0].conditions, self.kernel.parameters)
        if not lines:
            return ""
        intro = "Launches that do not satisfy this run a version that does without it, and is slower:"
        listed = "\n".join(_comment(line, prefix + "    ") for line in lines)
        text = f"{prefix.rstrip()}\n{_comment(intro, prefix)}\n{listed}\n"
        if self._sized:
            sized = f"Whether pointers overlap is known to `{self.name}_launch_sized` only."
            text += f"{_comment(sized, prefix)}\n"
        return text

    def _parameters(self) -> str:
        places = ["void *queue"] if self.kernel.uses_sycl else []
        if self.grid is None:
            places += [f"int64_t grid_{axis}" for axis in "xyz"]
        places += map(_declare, self.kernel.arguments)
        return ", ".join(places) or "void"

    def _prototype(self) -> str:
        return f"triton_xe_status {self.name}_launch({self._parameters()})"

    def _sized_prototype(self) -> str:
        sizes = ", ".join(f"size_t {size}" for size in self._sized.values())
        return f"triton_xe_status {self.name}_launch_sized({self._parameters()}, {sizes})"

    def _load_prototype(self) -> str:
        return f"triton_xe_status {self.name}_load({'void *queue' if self.kernel.uses_sycl else 'void'})"

    def header(self) -> str:
        """Return the header for C."""
        guard = f"{self.name.upper()}_H"
        queue = " on a `sycl::queue *`; the queue is not waited for" if self.kernel.uses_sycl else ", and waits for it"
        return f"""\
{self._summary("// ")}
{self._conditions("// ")}
#ifndef {guard}
#define {guard}

#include "triton_xe.h"

#ifdef __cplusplus
extern "C" {{
#endif

// Loads the kernel, which the first launch does otherwise.
{self._load_prototype()};

// Runs the kernel{queue}.
{_wrap(self._prototype())};

{self._sized_declaration()}\
// Why the last call of this thread that failed did so.
const char *{self.name}_error_message(void);

#ifdef __cplusplus
}}
#endif

#endif // {guard}
"""

    def _sized_declaration(self) -> str:
        if not self._sized:
            return ""
        text = (
            "The same, with the bytes from each pointer on that the kernel may access, or TRITON_XE_UNKNOWN_SIZE: "
            "launches whose pointers do not overlap run the faster version."
        )
        return f"{_comment(text, '// ')}\n{_wrap(self._sized_prototype())};\n\n"

    def _sized_cpp_function(self, parameters: Sequence[str], passed: Sequence[str]) -> str:
        sizes = list(self._sized.values())
        if not sizes:
            return ""
        text = "The same, with the bytes from each pointer on that the kernel may access, or TRITON_XE_UNKNOWN_SIZE."
        declared = ", ".join([*parameters, *(f"std::size_t {size}" for size in sizes)])
        return f"""\
{_comment(text, "/// ")}
{_wrap(f"inline void launch_sized({declared})")} {{
{_wrap(f"  triton_xe::check(::{self.name}_launch_sized({', '.join([*passed, *sizes])}),")}
                   &::{self.name}_error_message);
}}

"""

    def cpp_header(self) -> str:
        """Return the header for C++."""
        guard = f"{self.name.upper()}_HPP"
        sycl = self.kernel.uses_sycl
        include = "#include <sycl/sycl.hpp>\n" if sycl else ""
        arguments = self.kernel.arguments
        parameters = ["sycl::queue &queue"] if sycl else []
        passed = ["&queue"] if sycl else []
        if self.grid is None:
            parameters.append("triton_xe::Grid grid")
            passed += ["grid.x", "grid.y", "grid.z"]
        parameters += (_declare(parameter, "&", with_sycl=sycl) for parameter in arguments)
        passed += (("&" if parameter.rank else "") + c_name(parameter.name) for parameter in arguments)
        return f"""\
{self._summary("// ")}

#ifndef {guard}
#define {guard}

#include "{self.name}.h"
#include "triton_xe.hpp"
{include}
namespace {self.name} {{

/// Loads the kernel, which the first launch does otherwise. Throws `triton_xe::Error`.
inline void load({"sycl::queue &queue" if sycl else ""}) {{
  triton_xe::check(::{self.name}_load({"&queue" if sycl else ""}), &::{self.name}_error_message);
}}

/// Runs the kernel{", and does not wait for it" if sycl else ", and waits for it"}. Throws `triton_xe::Error`.
{_wrap(f"inline void launch({', '.join(parameters)})")} {{
{_wrap(f"  triton_xe::check(::{self.name}_launch({', '.join(passed)}),")}
                   &::{self.name}_error_message);
}}

{self._sized_cpp_function(parameters, passed)}\
}} // namespace {self.name}

#endif // {guard}
"""

    def _version(self, index: int, version: Version) -> Iterator[str]:
        """Return the description of one version."""
        yield f"static const unsigned char binary_{index}[] = {{"
        yield from _bytes(version.binary)
        yield "};"
        rows = []
        for number, (surface, code) in enumerate(version.conditions):
            yield f"static const int64_t condition_{index}_{number}[] = {{"
            yield _array(code)
            yield "};"
            rows.append(f"    {{{surface}, condition_{index}_{number}, {len(code)}}},")
        if rows:
            yield f"static const triton_xe_condition conditions_{index}[] = {{"
            yield from rows
            yield "};"
        fallback = f"&triton_xe_kernel_{index + 1}" if index + 1 < len(self.kernel.versions) else "NULL"
        arguments = len(self.kernel.arguments)
        yield f"""\
static triton_xe_kernel triton_xe_kernel_{index} = {{
    TRITON_XE_KERNEL_VERSION,
    /*work_group_size=*/{version.work_group_size},
    "{version.name}",
    binary_{index},
    sizeof(binary_{index}),
    {"arguments" if arguments else "NULL"},
    /*num_arguments=*/{arguments},
    {f"conditions_{index}" if rows else "NULL"},
    /*num_conditions=*/{len(rows)},
    /*fallback=*/{fallback},
    /*state=*/NULL,
}};
"""

    def description(self) -> str:
        """Return the definition of the kernel, `triton_xe_kernel_0`, and of its versions, with the types of
        `triton_xe.h`."""
        lines = []
        if self.kernel.arguments:
            lines.append("static const triton_xe_argument arguments[] = {")
            lines += (f"    {_argument(parameter)}," for parameter in self.kernel.arguments)
            lines.append("};\n")
        # Versions refer to those after them.
        for index, version in reversed(list(enumerate(self.kernel.versions))):
            lines += self._version(index, version)
        return "\n".join(lines)

    def _launch(self, prototype: str, sizes: Sequence[str] = ()) -> str:
        """Return the definition of a function that launches, with the sizes of the arguments if there are any."""
        grid = self.grid or ("grid_x", "grid_y", "grid_z")
        places = [c_name(parameter.name) if parameter.rank else f"&{c_name(parameter.name)}"
                  for parameter in self.kernel.arguments]  # fmt: skip
        passed = ["&triton_xe_kernel_0", *(["queue"] if self.kernel.uses_sycl else []), *grid, "values"]
        lines = [_wrap(prototype) + " {"]
        lines.append(_wrap(f"  const void *const values[] = {{{', '.join(places) or 'NULL'}}}") + ";")
        if sizes:
            lines.append(_wrap(f"  const size_t sizes[] = {{{', '.join(sizes)}}}") + ";")
            passed.append("sizes")
        lines.append(_wrap(f"  return {self.library}_launch{'_sized' * bool(sizes)}({', '.join(passed)})") + ";")
        return "\n".join([*lines, "}\n"])

    def implementation(self) -> str:
        """Return the implementation, which is valid C as well as C++."""
        loaded = ["&triton_xe_kernel_0", *(["queue"] if self.kernel.uses_sycl else [])]
        sized = ""
        if self._sized:
            sizes = [self._sized.get(parameter.name, "TRITON_XE_UNKNOWN_SIZE") for parameter in self.kernel.arguments]
            sized = f"{self._launch(self._sized_prototype(), sizes)}\n"
        return f"""\
{self._summary("// ")}

#include "{self.name}.h"

{self.description()}
{self._load_prototype()} {{
  return {self.library}_load({", ".join(loaded)});
}}

{grids.MACRO if self.grid else ""}\
{self._launch(self._prototype())}
{sized}\
const char *{self.name}_error_message(void) {{
  return {self.library}_error_message();
}}
"""


def _argument(parameter: Parameter) -> str:
    """Return a row of the list of arguments."""
    kind = parameter.declared_type or parameter.type
    constant = "DESCRIPTOR" if parameter.rank else "POINTER" if kind.startswith("*") else SCALARS[kind][0]
    return (
        f'{{"{parameter.name}", TRITON_XE_{constant}, {parameter.hint}, {parameter.rank}, {parameter.element_bytes}}}'
    )


def _wrap(text: str) -> str:
    """Break a long line of code after commas."""
    indent = " " * (len(text) - len(text.lstrip()))
    # Other blanks are none to the function that breaks lines.
    items = re.sub(r"(?<!,) ", "\xa0", text.strip())
    lines = textwrap.fill(items, 80, initial_indent=indent, subsequent_indent=indent + "    ", break_long_words=False)
    return lines.replace("\xa0", " ")


def write(kernel: Kernel, name: str, grid: str | None, folder: Path) -> list[Path]:
    """Write all files of a kernel, and the files that all kernels share, to `folder`. Returns the paths of the kernel's
    own files, the source first. Raises `OptionError`."""
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) or name in _RESERVED:
        raise errors.OptionError(f"expected a name that C takes, found `{name}`")
    extents = grids.translate(grid, kernel.parameters, c_name) if grid else None
    sources = Sources(name, kernel, extents)
    contents: dict[str, str | bytes] = {
        f"{name}.{'cpp' if kernel.uses_sycl else 'c'}": sources.implementation(),
        f"{name}.h": sources.header(),
        f"{name}.hpp": sources.cpp_header(),
    }
    suffix = "spv" if kernel.uses_sycl else "o"
    for index, version in enumerate(kernel.versions):
        stem = f"{name}.fallback" if index else name
        contents[f"{stem}.{suffix}"] = version.binary
        if version.zebin is not None:
            contents[f"{stem}.zebin"] = version.zebin
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, content in contents.items():
            (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
        for file in support_files(kernel.uses_sycl):
            (folder / file.name).write_bytes(file.read_bytes())
    except OSError as error:
        raise errors.OptionError(f"cannot write to `{folder}`: {error.strerror}") from error
    return [folder / file for file in contents]


def support_files(uses_sycl: bool) -> list[Path]:
    """Return the files that all kernels of a program share."""
    headers = [target.installed_file("include") / name for name in ("triton_xe.h", "triton_xe.hpp")]
    return [*headers, target.installed_file("src") / "triton_xe_sycl.cpp"] if uses_sycl else headers
