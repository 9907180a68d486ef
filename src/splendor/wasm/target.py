"""Numba's CPU target of this process becomes wasm32: every function that is compiled from now on, is for WebAssembly.

Numba has no such target. But LLVM has, and Numba asks one context for all that depends on the machine. So that context
is replaced before anything is compiled. Whole numbers stay 64 bits wide, since sets of bits need them; only pointers
have 32 bits. Private interfaces of Numba are used here and nowhere else: `build` says of which version.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any
from unittest import mock

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import ccallback, codegen, compiler, cpu, imputils, registry, runtime, types

from splendor.core.jit import MODE
from splendor.wasm import elementary

TRIPLE = "wasm32-unknown-unknown"
BASIC = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"  # what browsers have had since 2021
SIMD = f"{BASIC},+simd128"  # Safari: since 16.4, of 2023

# Numba has types for some of its parts only.
Context: Any = cpu.CPUContext
Codegen: Any = codegen.CPUCodegen
Library: Any = codegen.AOTCodeLibrary
Registry: Any = imputils.Registry
FunctionCompiler: Any = vars(ccallback)["_CFuncCompiler"]
Memory: Any = type(vars(runtime)["rtsys"])


class WasmLibrary(Library):  # type: ignore[misc]
    """A function and what it calls, as LLVM code that is optimized later, when all functions are together."""

    def _optimize_final_module(self) -> None:
        """Here it would be done once for each exported function."""


class WasmCodegen(Codegen):  # type: ignore[misc]
    """Makes LLVM code for WebAssembly, and runs none of it."""

    features = BASIC
    _library_class = WasmLibrary

    def _init(self, llvm_module: llvm.ModuleRef) -> None:  # noqa: ARG002 (Numba's signature)
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        self._tm_features = self.features
        self._tm = llvm.Target.from_triple(TRIPLE).create_target_machine(
            cpu="generic", features=self.features, opt=3, reloc="static", codemodel="default"
        )
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)
        self._loopvect, self._opt_level = False, 0

    def _create_empty_module(self, name: str) -> ir.Module:
        module = super()._create_empty_module(name)
        module.triple = TRIPLE
        return module

    def _add_module(self, module: object) -> None:
        """Nothing is loaded into this process."""

    def _get_host_cpu_name(self) -> str:
        return "wasm32"

    def set_env(self, name: str, env: object) -> None:
        """There are no Python objects to find again."""


class WasmContext(Context):  # type: ignore[misc]
    """What differs from the machine we run on."""

    def init(self) -> None:
        """Only pointers have 32 bits: division of 64-bit numbers is an instruction."""
        self.is32bit = False
        self._internal_codegen = WasmCodegen("wasm")

    def load_additional_registries(self) -> None:
        """Numba's own, without memory management; then what would be imported from a C library."""
        with mock.patch.object(Memory, "initialize", return_value=None):
            super().load_additional_registries()
        self.install_registry(elementary_registry())

    def post_lowering(self, mod: object, library: object) -> None:
        """No memory management to link."""

    def create_cpython_wrapper(self, *arguments: object, **options: object) -> None:
        """Python calls nothing of it."""

    def get_executable(self, library: object, fndesc: object, env: object) -> Callable[..., object]:  # noqa: ARG002
        """The dispatcher asks for a builtin function, each time another one. Nobody calls it."""
        return [].append

    def create_cfunc_wrapper(self, library: Any, fndesc: Any, env: object, call_helper: object) -> None:  # noqa: ARG002
        """The exported function: C arguments in, the result out. An exception, such as a wrong index, is a trap."""
        module = self.create_module("entry")
        inner = ir.Function(
            module, self.call_conv.get_function_type(fndesc.restype, fndesc.argtypes), fndesc.llvm_func_name
        )
        values = [self.get_value_type(argument) for argument in fndesc.argtypes]
        is_void = fndesc.restype == types.none
        result = ir.VoidType() if is_void else self.get_value_type(fndesc.restype)
        entry = ir.Function(module, ir.FunctionType(result, values), fndesc.llvm_cfunc_wrapper_name)
        builder = ir.IRBuilder(entry.append_basic_block("entry"))
        status, out = self.call_conv.call_function(builder, inner, fndesc.restype, fndesc.argtypes, entry.args)
        with builder.if_then(status.is_error, likely=False):
            builder.call(module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), [])), [])
            builder.unreachable()
        if is_void:
            builder.ret_void()
        else:
            builder.ret(out)
        library.add_ir_module(module)


def elementary_registry() -> Any:
    """`exp` and `log` from `elementary`, so that a module imports nothing and answers the same in every browser."""
    made = Registry("wasm")
    for function, kind, ours in (
        (math.exp, types.float64, elementary.exp),
        (math.exp, types.float32, elementary.exp_single),
        (math.log, types.float64, elementary.log),
    ):

        def lower(context: Any, builder: Any, signature: Any, arguments: Any, ours: Any = ours) -> Any:
            return context.compile_internal(builder, ours, signature, arguments)

        made.lower(function, kind)(lower)
    return made


def install(features: str) -> None:
    """Make the exchange, in a process of its own."""
    target: Any = registry.cpu_target
    if "_toplevel_target_context" in vars(target):
        raise RuntimeError("something has been compiled for this machine already")
    WasmCodegen.features = features
    vars(target)["_toplevel_target_context"] = WasmContext(target.typing_context, "cpu")


def compile_export(
    function: Callable[..., object], arguments: tuple[types.Type, ...], result: types.Type
) -> tuple[Any, str]:
    """A function and all that it calls, as a library of LLVM code; and the name of the exported symbol in it."""
    options = {
        "nopython": True,
        "nogil": True,
        "error_model": "numpy",
        "_nrt": False,
        "boundscheck": MODE == "bounds",
    }
    done = FunctionCompiler(function, registry.cpu_target, options, {}, compiler.Compiler).compile(arguments, result)
    return done.library, done.fndesc.llvm_cfunc_wrapper_name


def target_machine() -> llvm.TargetMachine:
    target: Any = registry.cpu_target
    return target.target_context.codegen()._tm
