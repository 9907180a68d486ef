"""Compiles one module, in a process of its own: `python -m splendor.wasm.compile rules FILE`.

`build` starts it with an environment in which the rules are made for WebAssembly. Each exported function is compiled
with all that it calls; LLVM then makes one program of them, in which nothing stands twice.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core import compiler_lock

from splendor.core.jit import TARGET, WASM
from splendor.wasm import target
from splendor.wasm.exports import Exports
from splendor.wasm.link import link

FEATURES = {"rules": target.BASIC, "network": target.SIMD}  # the rules gain nothing by SIMD


def compile_module(module: str) -> bytes:
    """One of the two modules."""
    if TARGET != WASM:
        raise SystemExit(f"SPLENDOR_TARGET must be {WASM}: start this by splendor.wasm.build")
    target.install(FEATURES[module])
    exports: Exports = importlib.import_module(f"splendor.wasm.{module}_module").EXPORTS
    lock: Any = compiler_lock.global_compiler_lock
    with lock:
        symbols = {}
        whole = None
        for name, export in exports.items():
            library, symbols[name] = target.compile_export(*export)
            library.finalize()
            if whole is None:
                whole = library._final_module.clone()
            else:
                whole.link_in(library._final_module, preserve=True)
        show_only(whole, symbols)
        optimize(whole)
    return link(target.target_machine().emit_object(whole), list(exports))


def show_only(module: llvm.ModuleRef, symbols: dict[str, str]) -> None:
    """Let nothing be seen but the exported functions, under their plain names."""
    for part in (*module.functions, *module.global_variables):
        if not part.is_declaration:
            part.linkage = "internal"
    for name, symbol in symbols.items():
        function = module.get_function(symbol)
        function.linkage = "external"
        function.name = name


def optimize(module: llvm.ModuleRef) -> None:
    """All that LLVM has for speed; then what is there twice or never used goes."""
    machine = target.target_machine()
    options = llvm.create_pipeline_tuning_options()
    options.speed_level, options.size_level = 3, 0
    options.slp_vectorization = options.loop_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    last = llvm.create_new_module_pass_manager()
    last.add_global_opt_pass()
    last.add_global_dead_code_eliminate_pass()
    last.add_merge_functions_pass()
    last.run(module, builder)
    module.verify()


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(compile_module(sys.argv[1]))
