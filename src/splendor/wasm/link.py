"""Makes one WebAssembly module of the one object file that LLVM has written: a linker for just that.

It lays out the memory, puts addresses into code and data where the object file says so, and names what is exported.
The object comes as described in https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md. What does not
occur in our modules is refused: imported functions, tables and calls through them.

    0 ── stack (grows down, so that an overflow traps) ── data ── heap
"""

from __future__ import annotations

import struct
from typing import NamedTuple

STACK = 1 << 17  # bytes
PAGE = 1 << 16
MOST_MEMORY = 1 << 30
MAGIC = b"\0asm\1\0\0\0"

# Sections
CUSTOM, TYPES, IMPORTS, FUNCTIONS, MEMORIES, GLOBALS, EXPORTED, CODE, DATA = 0, 1, 2, 3, 5, 6, 7, 10, 11
# Kinds of imports and exports
FUNCTION, TABLE, MEMORY, GLOBAL = range(4)
# Parts of the section "linking", and what a symbol can be
SEGMENT_INFO, SYMBOL_TABLE = 5, 8
A_FUNCTION, A_DATUM, A_GLOBAL, A_SECTION = range(4)
UNDEFINED, NAMED = 0x10, 0x40
# Relocations: what is put in, and how it is written
FUNCTION_INDEX, ADDRESS_LEB, ADDRESS_SLEB, ADDRESS_WORD, TYPE_INDEX, GLOBAL_INDEX = 0, 3, 4, 5, 6, 7
WITH_ADDEND = (ADDRESS_LEB, ADDRESS_SLEB, ADDRESS_WORD)

I32, MUTABLE, CONSTANT, I32_CONST, END = b"\x7f", b"\1", b"\0", b"\x41", b"\x0b"


class LinkError(Exception):
    """The object file holds something that this linker does not know."""


class Symbol(NamedTuple):
    """Something that relocations refer to."""

    kind: int
    name: str
    number: int  # of a function or global; of a datum its segment
    offset: int = 0  # of a datum, within its segment


class Relocation(NamedTuple):
    """A place in code or data that holds the number of a symbol."""

    kind: int
    offset: int
    symbol: int
    addend: int


class BinaryReader:
    """Reads the binary format from the front."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        """From a place on."""
        self.data, self.at = data, at

    def byte(self) -> int:
        """The next byte."""
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """An unsigned number (LEB128)."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:  # noqa: PLR2004
                return value

    def signed(self) -> int:
        """A signed number (LEB128)."""
        start = self.at
        value = self.number()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if self.data[self.at - 1] & 0x40 else value

    def take(self, count: int) -> bytes:
        """So many bytes."""
        self.at += count
        return self.data[self.at - count : self.at]

    def name(self) -> str:
        """A text."""
        return self.take(self.number()).decode()

    @property
    def is_at_end(self) -> bool:
        """Is nothing left?"""
        return self.at >= len(self.data)


def number(n: int) -> bytes:
    """An unsigned number (LEB128)."""
    out = bytearray()
    while n > 0x7F:  # noqa: PLR2004
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes([*out, n])


def signed(n: int) -> bytes:
    """A signed number (LEB128)."""
    out = bytearray()
    while not -0x40 <= n < 0x40:  # noqa: PLR2004
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes([*out, n & 0x7F])


def padded(n: int) -> bytes:
    """A number in five bytes, as relocations leave room for."""
    if not 0 <= n < 1 << 31:
        raise LinkError(f"{n} does not fit into an address")
    return bytes([*(n >> shift & 0x7F | 0x80 for shift in (0, 7, 14, 21)), n >> 28])


def named(text: str) -> bytes:
    return number(len(text)) + text.encode()


def vector(items: list[bytes]) -> bytes:
    return number(len(items)) + b"".join(items)


def section(kind: int, content: bytes) -> bytes:
    return bytes([kind]) + number(len(content)) + content


class ObjectFile:
    """What stands in the object file."""

    def __init__(self, content: bytes) -> None:
        """Read all of it."""
        if content[: len(MAGIC)] != MAGIC:
            raise LinkError("this is no WebAssembly")
        reader = BinaryReader(content, len(MAGIC))
        self.sections: dict[int, bytes] = {}
        self.relocations: dict[int, list[Relocation]] = {CODE: [], DATA: []}
        self.symbols: list[Symbol] = []
        self.alignments: list[int] = []  # of the data segments
        order: list[int] = []
        while not reader.is_at_end:
            kind = reader.byte()
            body = reader.take(reader.number())
            order.append(kind)
            if kind != CUSTOM:
                self.sections[kind] = body
                continue
            custom = BinaryReader(body)
            name = custom.name()
            if name == "linking":
                self._read_linking(custom)
            elif name.startswith("reloc."):
                self._read_relocations(custom, order)
        self._check_imports()

    def _read_linking(self, reader: BinaryReader) -> None:
        if reader.number() != 2:  # noqa: PLR2004
            raise LinkError("the object file is of another version")
        while not reader.is_at_end:
            kind = reader.byte()
            part = BinaryReader(reader.take(reader.number()))
            if kind == SYMBOL_TABLE:
                self.symbols = [self._read_symbol(part) for _ in range(part.number())]
            elif kind == SEGMENT_INFO:
                for _ in range(part.number()):
                    part.name()
                    self.alignments.append(1 << part.number())
                    part.number()

    def _read_symbol(self, part: BinaryReader) -> Symbol:
        kind, flags = part.byte(), part.number()
        if kind == A_DATUM:
            name = part.name()
            if flags & UNDEFINED:
                raise LinkError(f"{name} is not there")
            segment, offset, _ = part.number(), part.number(), part.number()
            return Symbol(kind, name, segment, offset)
        if kind == A_SECTION:
            return Symbol(kind, "", part.number())
        index = part.number()
        return Symbol(kind, part.name() if not flags & UNDEFINED or flags & NAMED else "", index)

    def _read_relocations(self, reader: BinaryReader, order: list[int]) -> None:
        target = order[reader.number()]
        if target not in self.relocations:
            return  # of notes for debuggers
        for _ in range(reader.number()):
            kind, offset, symbol = reader.byte(), reader.number(), reader.number()
            self.relocations[target].append(
                Relocation(kind, offset, symbol, reader.signed() if kind in WITH_ADDEND else 0)
            )

    def _check_imports(self) -> None:
        """A memory, an empty table and the stack pointer are made here; there may be nothing else."""
        reader = BinaryReader(self.sections[IMPORTS])
        for _ in range(reader.number()):
            reader.name()
            name, kind = reader.name(), reader.byte()
            if kind == GLOBAL and name == "__stack_pointer":
                reader.take(2)
            elif kind in (TABLE, MEMORY):
                if kind == TABLE:
                    reader.byte()
                has_most = reader.byte() & 1
                reader.number()
                if has_most:
                    reader.number()
            else:
                raise LinkError(f"{name} would be imported")

    def segments(self) -> list[bytes]:
        """The contents of the data segments."""
        reader = BinaryReader(self.sections.get(DATA, b"\0"))
        contents = []
        for _ in range(reader.number()):
            if reader.byte() or reader.byte() != I32_CONST[0]:
                raise LinkError("a data segment has no place of its own")
            reader.signed()
            reader.byte()
            contents.append(reader.take(reader.number()))
        return contents

    def segment_starts(self) -> list[int]:
        """Where the contents begin within their section."""
        starts, reader = [], BinaryReader(self.sections.get(DATA, b"\0"))
        for _ in range(reader.number()):
            reader.take(2)
            reader.signed()
            reader.byte()
            size = reader.number()
            starts.append(reader.at)
            reader.take(size)
        return starts


def link(content: bytes, exports: list[str]) -> bytes:
    """A module with a memory of its own, which exports these functions, `memory` and `__heap_base`."""
    made = ObjectFile(content)
    segments = [bytearray(data) for data in made.segments()]
    places, end = [], STACK
    for data, alignment in zip(segments, made.alignments, strict=True):
        end = -(-end // alignment) * alignment
        places.append(end)
        end += len(data)
    heap = -(-end // 16) * 16

    def value(relocation: Relocation) -> int:
        symbol = made.symbols[relocation.symbol]
        if symbol.kind == A_DATUM:
            return places[symbol.number] + symbol.offset + relocation.addend
        return symbol.number  # nothing is imported, so functions and globals keep their numbers

    code = bytearray(made.sections[CODE])
    for relocation in made.relocations[CODE]:
        if relocation.kind == TYPE_INDEX:
            continue  # types stay where they are
        if relocation.kind not in (FUNCTION_INDEX, ADDRESS_LEB, ADDRESS_SLEB, GLOBAL_INDEX):
            raise LinkError(f"relocation {relocation.kind} in code")
        code[relocation.offset : relocation.offset + 5] = padded(value(relocation))
    starts = made.segment_starts()
    for relocation in made.relocations[DATA]:
        if relocation.kind != ADDRESS_WORD:
            raise LinkError(f"relocation {relocation.kind} in data")
        segment = max(i for i, start in enumerate(starts) if start <= relocation.offset)
        at = relocation.offset - starts[segment]
        segments[segment][at : at + 4] = struct.pack("<I", value(relocation))

    functions = {symbol.name: symbol.number for symbol in made.symbols if symbol.kind == A_FUNCTION}
    pages = -(-heap // PAGE)
    exported = [
        *(named(name) + bytes([FUNCTION]) + number(functions[name]) for name in exports),
        named("memory") + bytes([MEMORY, 0]),
        named("__heap_base") + bytes([GLOBAL, 1]),
    ]
    stack_pointer = I32 + MUTABLE + I32_CONST + signed(STACK) + END
    heap_base = I32 + CONSTANT + I32_CONST + signed(heap) + END
    contents = [
        b"\0" + I32_CONST + signed(at) + END + number(len(data)) + data
        for at, data in zip(places, segments, strict=True)
    ]
    return MAGIC + b"".join(
        [
            section(TYPES, made.sections[TYPES]),
            section(FUNCTIONS, made.sections[FUNCTIONS]),
            section(MEMORIES, b"\1\1" + number(pages) + number(MOST_MEMORY // PAGE)),
            section(GLOBALS, vector([stack_pointer, heap_base])),
            section(EXPORTED, vector(exported)),
            section(CODE, bytes(code)),
            section(DATA, vector(contents)),
        ]
    )
