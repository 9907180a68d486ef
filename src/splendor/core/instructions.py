"""The one processor instruction that pays to be asked for by name: PDEP, which finds the n-th bit of a set.

Compilers never use it by themselves. It saves a twelfth of the time of a random game where it is fast, and is
nowhere needed: `bits.nth_bit` does the same in plain arithmetic, and does so on all other processors and on GPUs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from splendor.core.jit import MODE

SLOW = {"znver1", "znver2"}  # they have the instruction, but it takes longer than doing without


def has_fast_deposit() -> bool:
    """Does this processor have PDEP, and do we compile for it as it is?"""
    if MODE == "plain":
        return False
    import llvmlite.binding as llvm
    import numba

    config: Any = numba.config
    is_native = config.CPU_NAME is None and config.CPU_FEATURES is None
    features = llvm.get_host_cpu_features()
    return is_native and bool(features.get("bmi2")) and llvm.get_host_cpu_name() not in SLOW


HAS_DEPOSIT = has_fast_deposit()

if HAS_DEPOSIT:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    compiled_as: Any = intrinsic

    @compiled_as  # type: ignore[untyped-decorator]
    def deposited_bit(typing: object, bits: Any, n: Any) -> Any:  # noqa: ARG001 (Numba asks for these arguments)
        """The place of the n-th set bit: deposit a single bit into the set, then count the zeros below it."""

        def generate(
            _context: object, builder: ir.IRBuilder, _signature: object, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            word = ir.IntType(64)
            deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word]))
            single = builder.shl(ir.Constant(word, 1), arguments[1])
            return builder.cttz(builder.call(deposit, [single, arguments[0]]), ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64, types.int64), generate
