"""The learned numbers of the network, taken out of its ONNX file in the order in which the modules expect them.

An ONNX file is a message of Google's protocol buffers, of which a few fields are needed. So they are read here, and
building needs no library for it. `training/export.py` writes them, each layer's matrix before its bias.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from typing import Any

import numpy as np

from splendor.network.kernel.layout import BLOCKS, PACKED
from splendor.network.network import POLICY_TEMPERATURE

# Fields of the messages, by their numbers: ModelProto, GraphProto, TensorProto, StringStringEntryProto
GRAPH, METADATA = 7, 14
INITIALIZER = 5
DIMENSIONS, KIND, RAW = 1, 2, 9
KEY, VALUE = 1, 2
KINDS = {1: np.float32, 7: np.int64, 10: np.float16}  # of a tensor

VARINT, EIGHT_BYTES, BYTES, FOUR_BYTES = 0, 1, 2, 5  # how a field is written


def fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    """The fields of a message: their numbers, and what is in them as a number or as bytes."""
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:  # noqa: PLR2004
                return value

    while at < len(message):
        key = number()
        how = key & 7
        if how == VARINT:
            yield key >> 3, number()
        else:
            size = {EIGHT_BYTES: 8, FOUR_BYTES: 4}.get(how) or number()
            yield key >> 3, message[at : at + size]
            at += size


def tensor(message: memoryview) -> np.ndarray:
    """One array of numbers."""
    shape, kind, raw = [], 0, memoryview(b"")
    for field, value in fields(message):
        if field == DIMENSIONS:
            shape += [value] if isinstance(value, int) else list(value)
        elif field == KIND:
            kind = value
        elif field == RAW:
            raw = value
    return np.frombuffer(raw, KINDS[kind]).reshape(shape)


def read_onnx(content: bytes) -> tuple[list[np.ndarray], dict[str, str]]:
    """All arrays in the order in which they were written, and what the file says about itself."""
    arrays, about = [], {}
    for field, value in fields(memoryview(content)):
        if field == GRAPH:
            arrays += [tensor(part) for inner, part in fields(value) if inner == INITIALIZER]
        elif field == METADATA:
            entry = {inner: bytes(text).decode() for inner, text in fields(value)}
            about[entry[KEY]] = entry[VALUE]
    return arrays, about


def packed_weights() -> bytes:
    """The learned numbers of the network of the package, as a PACKED record.

    Raises ValueError if the network has another form than the modules.
    """
    arrays, about = read_onnx(resources.files("splendor").joinpath("data", "network.onnx").read_bytes())
    matrices = [number for number, array in enumerate(arrays) if array.dtype == np.float16]
    packed = np.zeros(1, PACKED)
    try:
        fill(packed, arrays, matrices)
    except (ValueError, IndexError) as error:
        raise ValueError("the network has another form: see WIDTH and BLOCKS in network/kernel/layout.py") from error
    config = json.loads(about.get("config", "{}"))
    packed["policy_temperature"] = config.get("policy_temperature", POLICY_TEMPERATURE)
    return packed.tobytes()


def fill(packed: np.ndarray, arrays: list[np.ndarray], matrices: list[int]) -> None:
    """Copy everything to its place; `matrices` are the numbers of the arrays with 16 bits."""
    learned = iter(matrices)
    see = [next(learned) for _ in range(4)]
    packed["see"] = np.concatenate([arrays[number] for number in see])
    packed["see_bias"], packed["place"] = arrays[see[-1] + 1], arrays[see[-1] + 2]
    for block in range(BLOCKS):
        for name in ("look", "hear", "inner", "outer"):
            number = next(learned)
            packed[name][0, block] = arrays[number]
            if name == "inner":
                packed["inner_bias"][0, block] = arrays[number + 1]
    for name in ("seat", "market", "reserved", "noble", "noble", "table"):  # nobles are rated in two parts
        number = next(learned)
        packed[name] = arrays[number].T
        packed[f"{name}_bias"] = arrays[number + 1]
    if next(learned, None) is not None:
        raise ValueError("there are more layers")
