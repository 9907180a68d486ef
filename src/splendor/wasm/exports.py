"""How a function is made callable from JavaScript: its arguments are 32-bit numbers, addresses and records.

JavaScript would need a BigInt for a whole number of 64 bits, so numbers are declared with 32 and widened. An array is
an address. A record is passed as its address by Numba itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

I32, F64, VOID = types.int32, types.float64, types.none
ADDRESS = types.int32

Function = Callable[..., object]
Address = int  # where an array lies in the memory of the module
Struct = Any  # a record that JavaScript has made room for; its type is in `EXPORTS`


class ExportedFunction(NamedTuple):
    """A function that JavaScript may call."""

    function: Function
    arguments: tuple[types.Type, ...]
    result: types.Type


class Exports(dict[str, ExportedFunction]):
    """The functions of one module, by their names."""

    def add(self, result: types.Type, *arguments: types.Type) -> Callable[[Function], Function]:
        """A decorator with the types of a function."""

        def keep(function: Function) -> Function:
            self[function.__name__] = ExportedFunction(function, arguments, result)
            return function

        return keep


wide: Any = np.int64  # the rules' own numbers
compiled_as: Any = intrinsic  # Numba has types for some of its functions only
arrays: Any = arrayobj
unpack_tuple: Any = cgutils.unpack_tuple


@compiled_as  # type: ignore[untyped-decorator]
def array_at(typing: object, address: Any, dtype: Any, shape: Any) -> Any:  # noqa: ARG001 (Numba asks for `typing`)
    """An array in foreign memory. `numba.carray` does the same, but with Numba's memory management."""
    is_tuple = isinstance(shape, types.BaseTuple)
    array = types.Array(dtype.dtype, len(shape) if is_tuple else 1, "C")

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> ir.Value:
        place, _, wanted = arguments
        kinds = list(signature.args[2]) if is_tuple else [signature.args[2]]
        sizes = unpack_tuple(builder, wanted) if is_tuple else [wanted]
        sizes = [context.cast(builder, size, kind, types.intp) for size, kind in zip(sizes, kinds, strict=True)]
        itemsize = context.get_abi_sizeof(context.get_data_type(array.dtype))
        strides: list[ir.Value] = []
        step = context.get_constant(types.intp, itemsize)
        for size in reversed(sizes):
            strides.insert(0, step)
            step = builder.mul(step, size)
        made = arrays.make_array(array)(context, builder)
        data = builder.inttoptr(context.cast(builder, place, signature.args[0], types.int32), made.data.type)
        arrays.populate_array(made, data=data, shape=sizes, strides=strides, itemsize=itemsize, meminfo=None)
        return made._getvalue()

    return array(address, dtype, shape), generate
