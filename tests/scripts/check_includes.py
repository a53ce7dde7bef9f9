"""Finds sources that use names of the standard library without its header, which precompiled headers and unity builds hide.

check_includes.py PROJECT [FOLDER...]. A header counts if the file, or a header of the project that it includes, includes it. The
preset tsan, which has no precompiled headers, finds all cases and takes an hour; this takes seconds.
"""
import functools
import pathlib
import re
import sys

NAMES = {
    "algorithm": "sort|stable_sort|min_element|max_element|find_if|all_of|any_of|none_of|transform|lower_bound|upper_bound|"
                 "ranges::(?:sort|stable_sort|find|find_if|all_of|any_of|none_of|transform|copy|count|count_if|fill|replace|"
                 "min_element|max_element|lower_bound|upper_bound)",
    "array": "array", "atomic": "atomic",
    "bit": "bit_cast|popcount|countr_zero|countl_zero|bit_width|bit_ceil",
    "cmath": "sqrt|floor|ceil|isnan|isfinite|hypot|lround|cos|sin|atan2|pow",
    "cstring": "memcpy|memset|memcmp|strlen", "filesystem": "filesystem", "fstream": "ifstream|ofstream",
    "functional": "function|greater|less|hash", "limits": "numeric_limits", "map": "map",
    "memory": "unique_ptr|shared_ptr|weak_ptr|make_shared|make_unique",
    "mutex": "mutex|lock_guard|unique_lock|scoped_lock", "numbers": "numbers",
    "numeric": "accumulate|iota|partial_sum|exclusive_scan", "optional": "optional|nullopt|make_optional", "set": "set",
    "span": "span", "sstream": "istringstream|ostringstream|stringstream",
    "stop_token": "stop_token|stop_source|stop_callback", "string": "string|to_string", "string_view": "string_view",
    "chrono": "chrono", "condition_variable": "condition_variable|condition_variable_any", "deque": "deque",
    "future": "future|promise|async|packaged_task", "queue": "queue|priority_queue", "random": "mt19937|mt19937_64",
    "regex": "regex|smatch", "thread": "thread|jthread|this_thread", "tuple": "tuple|tie|make_tuple",
    "unordered_map": "unordered_map", "unordered_set": "unordered_set",
    "utility": "pair|exchange", "variant": "variant|monostate|get_if|visit", "vector": "vector",
}
USES = {header: re.compile(rf"\bstd::(?:{names})\b") for header, names in NAMES.items()}
# what headers of the standard library are bound to declare, too
IMPLIED = {
    "algorithm": {"utility"}, "condition_variable": {"mutex"}, "filesystem": {"string", "string_view"},
    "fstream": {"string"}, "functional": {"utility", "memory"}, "future": {"mutex", "memory"}, "iostream": {"string"},
    "map": {"utility"}, "memory": {"utility"}, "random": {"limits", "string", "vector", "cmath"},
    "regex": {"string", "vector", "map"}, "set": {"utility"}, "sstream": {"string", "string_view"},
    "string": {"string_view"}, "thread": {"stop_token"}, "unordered_map": {"utility"},
}
NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.S)
INCLUDE = re.compile(r'#include [<"]([^">]+)[>"]')
project = pathlib.Path(sys.argv[1])
folders = sys.argv[2:] or ["kernels", "engine", "gui"]


@functools.cache
def included(path):
    """The headers of other projects that a file includes, directly or indirectly."""
    found = set()
    for name in INCLUDE.findall(path.read_text(errors="replace")):
        if "/" in name and (project / name).is_file():
            found |= included(project / name)
        else:
            found |= {name} | IMPLIED.get(name, set())
    return frozenset(found)


missing = []
for folder in folders:
    for path in sorted((project / folder).rglob("*")):
        if path.suffix not in (".cpp", ".h", ".cu"):
            continue
        text = NOT_CODE.sub('""', path.read_text(errors="replace"))
        for header, uses in USES.items():
            if header not in included(path) and (use := uses.search(text)):
                missing.append(f"{path.relative_to(project)}: {use.group()} without <{header}>")
print("\n".join(missing) if missing else "each file includes what it uses of the standard library")
sys.exit(bool(missing))
