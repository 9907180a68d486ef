"""The blocks of the network as GPU programs of Triton: forwards, and back with the gradient.

The things of a few games are brought in once, and everything that half a block does to them is done before they are
written out: bringing rows to the same length, the looks, the attention of every head, what was heard; or thinking with
more numbers and back. PyTorch, which does one of these at a time, spends most of its time on writing and reading again.
For the way back only what came into each half is kept; the rest is worked out again.

A tile holds as many whole games as have room in it. In attention all of its things are compared with each other, and
what belongs to another game is left out.
"""
# Capitals are what the programs are compiled for; of other types Triton wants to know nothing.
# ruff: noqa: N803, N806
# mypy: disable-error-code="no-untyped-def, untyped-decorator"

from __future__ import annotations

from typing import Any, NamedTuple

import torch
import triton
import triton.language as tl
from torch import Tensor

TILE = 128  # things that are worked on together
WARPS = 8
STAGES = 2  # of loading ahead; with 1 Triton 3.6 reads out of bounds
LEAST = tl.constexpr(1e-6)  # added to the mean square of a row, before it is divided by


class Block(NamedTuple):
    """The weights of a block, as PyTorch's layers have them  [out, in]."""

    look: Tensor  # what a thing asks for, how it answers, what it tells
    hear: Tensor
    inner: Tensor
    bias: Tensor
    outer: Tensor


@triton.jit
def lengths(rows):
    """What brings rows to the same length."""
    return tl.rsqrt(tl.sum(rows * rows, axis=1) / rows.shape[1] + LEAST)[:, None]


@triton.jit
def add_back(things, grad, is_row, before):
    """Add to a gradient, in its place, that of things which were brought to the same length."""
    rows = tl.load(things, mask=is_row, other=0.0).to(tl.float32)
    length = lengths(rows)
    same = rows * length
    along = (tl.sum(before * same, axis=1) / same.shape[1])[:, None]
    tl.store(grad, tl.load(grad, mask=is_row, other=0.0) + length * (before - same * along), mask=is_row)


@triton.jit
def whole_games(count, THINGS: tl.constexpr, TILE: tl.constexpr):
    """The things of a tile: their rows, which of them there are, and who is in the same game."""
    own = tl.arange(0, TILE)
    USED: tl.constexpr = TILE // THINGS * THINGS
    row = tl.program_id(0) * USED + own
    is_row = ((own < USED) & (row < count))[:, None]
    return row, is_row, (own // THINGS)[:, None] == (own // THINGS)[None, :]


@triton.jit
def compared(asks, answers, is_same_game, scale):
    """How much each thing takes from each other of its game."""
    fit = tl.where(is_same_game, tl.dot(asks, tl.trans(answers)) * scale, float("-inf"))
    taken = tl.exp(fit - tl.max(fit, axis=1)[:, None])
    return taken * (1.0 / tl.sum(taken, axis=1))[:, None]  # a division of every number would take longer


@triton.jit
def look_around(
    things,
    into,
    look,
    hear,
    count,
    scale,
    THINGS: tl.constexpr,
    WIDTH: tl.constexpr,
    HEAD: tl.constexpr,
    TILE: tl.constexpr,
):
    """The first half of a block: things ask each other, and add what they hear."""
    precision = look.dtype.element_ty
    number, part = tl.arange(0, WIDTH), tl.arange(0, HEAD)
    row, is_row, is_same_game = whole_games(count, THINGS, TILE)
    place = row[:, None] * WIDTH + number[None, :]
    heard = tl.load(things + place, mask=is_row, other=0.0).to(tl.float32)
    same = (heard * lengths(heard)).to(precision)
    for head in range(WIDTH // HEAD):
        to_look = look + (head * HEAD + part)[None, :] * WIDTH + number[:, None]
        asks = tl.dot(same, tl.load(to_look)).to(precision)
        answers = tl.dot(same, tl.load(to_look + WIDTH * WIDTH)).to(precision)
        tells = tl.dot(same, tl.load(to_look + 2 * WIDTH * WIDTH)).to(precision)
        taken = tl.dot(compared(asks, answers, is_same_game, scale).to(precision), tells)
        to_hear = tl.load(hear + number[None, :] * WIDTH + (head * HEAD + part)[:, None])
        heard = tl.dot(taken.to(precision), to_hear, heard)
    tl.store(into + place, heard.to(into.dtype.element_ty), mask=is_row)


@triton.jit
def look_back(
    things,
    grad,
    look,
    hear,
    all_same,
    all_taken,
    looks_grad,
    heard_grad,
    count,
    scale,
    THINGS: tl.constexpr,
    WIDTH: tl.constexpr,
    HEAD: tl.constexpr,
    TILE: tl.constexpr,
):
    """The gradient before `look_around`, of that after it, in its place; and what those of the weights are made of."""
    precision = look.dtype.element_ty
    number, part = tl.arange(0, WIDTH), tl.arange(0, HEAD)
    row, is_row, is_same_game = whole_games(count, THINGS, TILE)
    place = row[:, None] * WIDTH + number[None, :]
    rows = tl.load(things + place, mask=is_row, other=0.0).to(tl.float32)
    same = (rows * lengths(rows)).to(precision)
    after = tl.load(grad + place, mask=is_row, other=0.0).to(precision)
    tl.store(all_same + place, same, mask=is_row)
    tl.store(heard_grad + place, after, mask=is_row)
    before = tl.zeros([TILE, WIDTH], tl.float32)
    for head in range(WIDTH // HEAD):
        to_look = look + (head * HEAD + part)[None, :] * WIDTH + number[:, None]
        to_ask = tl.load(to_look)
        to_answer = tl.load(to_look + WIDTH * WIDTH)
        to_tell = tl.load(to_look + 2 * WIDTH * WIDTH)
        asks = tl.dot(same, to_ask).to(precision)
        answers = tl.dot(same, to_answer).to(precision)
        tells = tl.dot(same, to_tell).to(precision)
        weight = compared(asks, answers, is_same_game, scale)
        taken = tl.dot(weight.to(precision), tells)
        tl.store(all_taken + row[:, None] * WIDTH + (head * HEAD + part)[None, :], taken.to(precision), mask=is_row)
        taken_grad = tl.dot(after, tl.load(hear + number[:, None] * WIDTH + (head * HEAD + part)[None, :]))
        along = tl.sum(taken_grad * taken, axis=1)[:, None]
        taken_grad = taken_grad.to(precision)
        fit_grad = (weight * (tl.dot(taken_grad, tl.trans(tells)) - along) * scale).to(precision)
        asks_grad = tl.dot(fit_grad, answers).to(precision)
        answers_grad = tl.dot(tl.trans(fit_grad), asks).to(precision)
        tells_grad = tl.dot(tl.trans(weight.to(precision)), taken_grad).to(precision)
        to_grad = looks_grad + row[:, None] * (3 * WIDTH) + (head * HEAD + part)[None, :]
        tl.store(to_grad, asks_grad, mask=is_row)
        tl.store(to_grad + WIDTH, answers_grad, mask=is_row)
        tl.store(to_grad + 2 * WIDTH, tells_grad, mask=is_row)
        before = tl.dot(asks_grad, tl.trans(to_ask), before)
        before = tl.dot(answers_grad, tl.trans(to_answer), before)
        before = tl.dot(tells_grad, tl.trans(to_tell), before)
    add_back(things + place, grad + place, is_row, before)


@triton.jit
def think(
    things,
    into,
    inner,
    bias,
    outer,
    count,
    WIDTH: tl.constexpr,
    WIDER: tl.constexpr,
    TILE: tl.constexpr,
):
    """The second half of a block: each thing is thought about for itself."""
    precision = inner.dtype.element_ty
    number = tl.arange(0, WIDTH)
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    is_row = (row < count)[:, None]
    place = row[:, None] * WIDTH + number[None, :]
    thought = tl.load(things + place, mask=is_row, other=0.0).to(tl.float32)
    same = (thought * lengths(thought)).to(precision)
    for part in range(WIDER):
        wide = part * WIDTH + number
        ideas = tl.dot(same, tl.load(inner + wide[None, :] * WIDTH + number[:, None]))
        ideas = tl.maximum(ideas + tl.load(bias + wide)[None, :], 0.0).to(precision)
        to_outer = tl.load(outer + number[None, :] * (WIDER * WIDTH) + wide[:, None])
        thought = tl.dot(ideas, to_outer, thought)
    tl.store(into + place, thought.to(into.dtype.element_ty), mask=is_row)


@triton.jit
def think_back(
    things,
    grad,
    inner,
    bias,
    outer,
    all_same,
    all_ideas,
    ideas_grad,
    thought_grad,
    count,
    WIDTH: tl.constexpr,
    WIDER: tl.constexpr,
    TILE: tl.constexpr,
):
    """The gradient before `think`, of that after it, in its place; and what those of the weights are made of."""
    precision = inner.dtype.element_ty
    number = tl.arange(0, WIDTH)
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    is_row = (row < count)[:, None]
    place = row[:, None] * WIDTH + number[None, :]
    rows = tl.load(things + place, mask=is_row, other=0.0).to(tl.float32)
    same = (rows * lengths(rows)).to(precision)
    after = tl.load(grad + place, mask=is_row, other=0.0).to(precision)
    tl.store(all_same + place, same, mask=is_row)
    tl.store(thought_grad + place, after, mask=is_row)
    before = tl.zeros([TILE, WIDTH], tl.float32)
    for part in range(WIDER):
        wide = part * WIDTH + number
        to_inner = tl.load(inner + wide[None, :] * WIDTH + number[:, None])
        ideas = tl.maximum(tl.dot(same, to_inner) + tl.load(bias + wide)[None, :], 0.0)
        back = tl.dot(after, tl.load(outer + number[:, None] * (WIDER * WIDTH) + wide[None, :]))
        back = tl.where(ideas > 0.0, back, 0.0).to(precision)
        to_wide = row[:, None] * (WIDER * WIDTH) + wide[None, :]
        tl.store(all_ideas + to_wide, ideas.to(precision), mask=is_row)
        tl.store(ideas_grad + to_wide, back, mask=is_row)
        before = tl.dot(back, tl.trans(to_inner), before)
    add_back(things + place, grad + place, is_row, before)


def run_look(things: Tensor, into: Tensor, block: Block, head: int) -> None:
    """The first half of a block; `into` may be the things themselves."""
    games, each, width = things.shape
    look_around[(triton.cdiv(games, TILE // each),)](
        things,
        into,
        block.look,
        block.hear,
        games * each,
        head**-0.5,
        THINGS=each,
        WIDTH=width,
        HEAD=head,
        TILE=TILE,
        num_warps=WARPS,
        num_stages=STAGES,
    )


def run_think(things: Tensor, into: Tensor, block: Block) -> None:
    """The second half of a block; `into` may be the things themselves."""
    games, each, width = things.shape
    think[(triton.cdiv(games * each, TILE),)](
        things,
        into,
        block.inner,
        block.bias,
        block.outer,
        games * each,
        WIDTH=width,
        WIDER=len(block.inner) // width,
        TILE=TILE,
        num_warps=WARPS,
        num_stages=STAGES,
    )


def run_look_back(things: Tensor, grad: Tensor, block: Block, head: int) -> tuple[Tensor, Tensor]:
    """Take a gradient back through the first half; returns those of its weights."""
    games, each, width = things.shape
    same, taken, heard_grad = (block.look.new_empty((games * each, width)) for _ in range(3))
    looks_grad = block.look.new_empty((games * each, 3 * width))
    look_back[(triton.cdiv(games, TILE // each),)](
        things,
        grad,
        block.look,
        block.hear,
        same,
        taken,
        looks_grad,
        heard_grad,
        games * each,
        head**-0.5,
        THINGS=each,
        WIDTH=width,
        HEAD=head,
        TILE=TILE,
        num_warps=WARPS,
        num_stages=STAGES,
    )
    return looks_grad.T @ same, heard_grad.T @ taken


def run_think_back(things: Tensor, grad: Tensor, block: Block) -> tuple[Tensor, Tensor, Tensor]:
    """Take a gradient back through the second half; returns those of its weights."""
    games, each, width = things.shape
    same, thought_grad = (block.inner.new_empty((games * each, width)) for _ in range(2))
    ideas, ideas_grad = (block.inner.new_empty((games * each, len(block.inner))) for _ in range(2))
    think_back[(triton.cdiv(games * each, TILE),)](
        things,
        grad,
        block.inner,
        block.bias,
        block.outer,
        same,
        ideas,
        ideas_grad,
        thought_grad,
        games * each,
        WIDTH=width,
        WIDER=len(block.inner) // width,
        TILE=TILE,
        num_warps=WARPS,
        num_stages=STAGES,
    )
    return ideas_grad.T @ same, ideas_grad.sum(dim=0, dtype=torch.float32), thought_grad.T @ ideas


def through_blocks(things: Tensor, blocks: list[Block], head: int) -> Tensor:
    """Take things [row, thing, number] through blocks, with heads of this size; if nobody learns, in their memory."""
    if torch.is_grad_enabled() and blocks[0].look.requires_grad:
        weights = [tensor for block in blocks for tensor in block]
        return Blocks.apply(things.float(), head, torch.bfloat16, *weights)
    for block in blocks:
        run_look(things, things, block, head)
        run_think(things, things, block)
    return things


class Blocks(torch.autograd.Function):  # type: ignore[misc]
    """All blocks, with gradients."""

    @staticmethod
    def forward(ctx: Any, things: Tensor, head: int, precision: torch.dtype, *weights: Tensor) -> Tensor:
        """Take things through the blocks that have these weights, in this precision."""
        blocks = [
            Block(*(tensor.to(precision) for tensor in weights[at : at + len(Block._fields)]))
            for at in range(0, len(weights), len(Block._fields))
        ]
        before = []
        for block in blocks:
            between, after = torch.empty_like(things), torch.empty_like(things)
            run_look(things, between, block, head)
            run_think(between, after, block)
            before += [things, between]
            things = after
        ctx.save_for_backward(*before)
        ctx.blocks, ctx.head = blocks, head
        return things

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """The gradients of the things and of the weights, of that of what came out."""
        grad = grad.contiguous().clone()
        weights: list[Tensor] = []
        before = ctx.saved_tensors
        for number in range(len(ctx.blocks) - 1, -1, -1):
            block = ctx.blocks[number]
            thoughts = run_think_back(before[2 * number + 1], grad, block)
            weights = [*run_look_back(before[2 * number], grad, block, ctx.head), *thoughts, *weights]
        return grad, None, None, *(tensor.float() for tensor in weights)
