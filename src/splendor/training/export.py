"""The trained network as an ONNX file: the form in which it is shipped and played with.

The graph is written node by node. Weights are stored as 16-bit floats, which are brought back to 32 bits when the file
is loaded. What a thing takes from the others, and the sum of two rows brought to the same length, are one operator each
of onnxruntime's own. `read_onnx` finds the weights again, to train on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from splendor.core.actions import ACTIONS
from splendor.core.components import GOLD, MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE
from splendor.core.state import MARKET, RESERVE_LIMIT
from splendor.network.kernel.things import (
    ABSENT,
    CARD_PLACES,
    EACH,
    FIRST_NOBLE,
    MISSING,
    NOBLE,
    ORDER,
    RESERVED,
    SEAT,
    TABLE,
    TABLE_PARTS,
    THINGS,
    things_of,
)
from splendor.training.config import Given
from splendor.training.model import FIRST_PLAYERS, LAST_PLAYERS, Model

if TYPE_CHECKING:
    import onnx

OPSET = 17
MICROSOFT = "com.microsoft"  # operators that onnxruntime has and the standard does not
FORMATS = {"float32": np.float32, "float16": np.float16}
EPSILON = float(np.finfo(np.float32).eps)  # added to a square length, as PyTorch does


def export_onnx(model: Model, path: Path, weights: str = "float16", about: Given | None = None) -> None:
    """Write the file. `weights` says how they are stored; `about` is kept with them."""
    import onnx
    from onnx import TensorProto, helper

    graph = drawn(model, weights)
    made = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "splendor",
            [helper.make_tensor_value_info("observations", TensorProto.INT8, ["rows", OBSERVATION_SIZE])],
            [
                helper.make_tensor_value_info("shares", TensorProto.FLOAT, ["rows", MAX_PLAYERS]),
                helper.make_tensor_value_info("ratings", TensorProto.FLOAT, ["rows", ACTIONS]),
            ],
            graph.initializers,
        ),
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)],
        ir_version=8,
    )
    for key, value in (about or {}).items():
        made.metadata_props.add(key=key, value=value if isinstance(value, str) else json.dumps(value))
    onnx.checker.check_model(made)
    path.write_bytes(made.SerializeToString())


def read_onnx(path: Path) -> tuple[Model, dict[str, str]]:
    """The network in a file that was written so, and what it says about itself. Raises ValueError if it is another."""
    import onnx
    import torch
    from onnx import numpy_helper

    try:
        made = onnx.load(str(path))
        about = {entry.key: entry.value for entry in made.metadata_props}
        config = json.loads(about["config"])
        model = Model(config["width"], config["blocks"])
        stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in made.graph.initializer}
        with torch.no_grad():
            for name, weight in drawn(model, "float32").places.items():
                weight.copy_(torch.from_numpy(stored[name].astype(np.float32).reshape(weight.shape)))
    except Exception as error:
        raise ValueError(f"{path} is not a network that splendor train has made") from error
    return model, about


def drawn(model: Model, weights: str) -> Graph:
    """The graph of a network."""
    if weights not in FORMATS:
        raise ValueError(f"weights cannot be stored as {weights!r}, only as {', '.join(FORMATS)}")
    from onnx import TensorProto

    graph = Graph(weights)
    seen = graph.node("Cast", "observations", to=TensorProto.FLOAT)
    first = graph.cut(graph.cut(seen, 0, 0, 1), 1, FIRST_PLAYERS, LAST_PLAYERS)
    players = graph.node("ArgMax", first, axis=1, keepdims=0)  # beyond two, in the first row and so in all
    things = add_enter(graph, model, seen, players)
    added = add_nothing(graph, things)
    for look, hear, inner, outer in zip(model.look, model.hear, model.inner, model.outer, strict=True):
        normal, things = graph.added(things, added, model.width)
        looks = graph.node(
            "Attention",
            normal,
            graph.weight(look.weight),
            graph.constant(np.zeros(3 * model.width, np.float32)),
            domain=MICROSOFT,
            num_heads=model.heads,
        )
        added = graph.layer(looks, hear.weight)
        normal, things = graph.added(things, added, model.width)
        added = graph.layer(graph.node("Relu", graph.layer(normal, inner.weight, inner.bias)), outer.weight)
    things, _ = graph.added(things, added, model.width)
    add_seats(graph, model, things, players)
    add_actions(graph, model, things, players)
    return graph


class Graph:
    """Nodes and weights in the order in which they are added."""

    def __init__(self, weights: str) -> None:
        """`weights`: how matrices are stored."""
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self.places: dict[str, Tensor] = {}  # of what is learned: the tensor, in the form in which it is stored

    def node(self, kind: str, *inputs: str, output: str | None = None, outputs: int = 1, **attributes: object) -> Any:
        """Add a node; return the name of its output, or of each of its outputs."""
        from onnx import helper

        name = output or f"{kind.lower()}_{len(self.nodes)}"
        names = [name] if outputs == 1 else [f"{name}_{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return name if outputs == 1 else names

    def constant(self, value: np.ndarray) -> str:
        """Add numbers as they are."""
        from onnx import numpy_helper

        name = f"constant_{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def weight(self, weight: Tensor) -> str:
        """Add PyTorch's weights [output, input], turned, to be read as 32-bit floats."""
        from onnx import TensorProto

        stored = self.constant(array(weight).T.astype(FORMATS[self.weights]))
        self.places[stored] = weight.T
        return stored if self.weights == "float32" else str(self.node("Cast", stored, to=TensorProto.FLOAT))

    def bias(self, bias: Tensor) -> str:
        """Add PyTorch's numbers as they are."""
        stored = self.constant(array(bias))
        self.places[stored] = bias
        return stored

    def layer(self, inputs: str, weight: Tensor, bias: Tensor = None) -> str:
        """A fully connected layer."""
        product = self.node("MatMul", inputs, self.weight(weight))
        return str(product if bias is None else self.node("Add", product, self.bias(bias)))

    def added(self, inputs: str, more: str, width: int) -> tuple[str, str]:
        """The sum of rows: brought to the same length, and as it is."""
        ones = self.constant(np.ones(width, np.float32))
        normal, _, _, total = self.node(
            "SkipSimplifiedLayerNormalization", inputs, more, ones, outputs=4, domain=MICROSOFT, epsilon=EPSILON
        )
        return normal, total

    def pick(self, inputs: str, columns: NDArray[np.int64]) -> str:
        """Some columns of each row, in the shape of `columns`."""
        flat = self.node("Gather", inputs, self.constant(columns.ravel()), axis=1)
        return str(self.node("Reshape", flat, self.constant(np.array([-1, *columns.shape]))))

    def cut(self, inputs: str, axis: int, first: int, last: int, step: int = 1) -> str:
        """Every `step`-th from `first` up to `last`."""
        numbers = (self.constant(np.array([number])) for number in (first, last, axis, step))
        return str(self.node("Slice", inputs, *numbers))

    def filled(self, rows: str, players: str, value: float) -> str:
        """Two more columns with this value in games of two, one in games of three."""
        missing = self.node("Sub", self.constant(np.array([MAX_PLAYERS - 2])), players)
        widths = self.node("Concat", self.constant(np.array([0, 0, 0])), missing, axis=0)
        return str(self.node("Pad", rows, widths, self.constant(np.array(value, np.float32))))


def add_enter(graph: Graph, model: Model, seen: str, players: str) -> str:
    """`Model.enter`."""
    zero = graph.constant(np.array([0, 0, 0, 1]))
    told = graph.node("Pad", graph.node("Mul", seen, graph.constant(array(model.scale))), zero)
    told_of = {name: getattr(model, f"{name}_told").cpu().numpy() for name in model.see}
    cost = graph.pick(graph.node("Pad", seen, zero), told_of["cards"][:, -GOLD:].reshape(CARD_PLACES, 1, GOLD))
    tokens, bonuses = (graph.pick(seen, columns[None]) for columns in model.has.cpu().numpy())
    lacking = graph.node("Relu", graph.node("Sub", cost, graph.node("Add", tokens, bonuses)))
    missing = graph.node(
        "Reshape",
        graph.node("Mul", lacking, graph.constant(np.array(1 / MISSING, np.float32))),
        graph.constant(np.array([-1, CARD_PLACES, MAX_PLAYERS * GOLD])),
    )
    parts = {name: graph.pick(told, columns) for name, columns in told_of.items()}
    parts["cards"] = graph.node("Concat", parts["cards"], missing, axis=2)
    things = graph.node(
        "Concat", *(graph.layer(numbers, model.see[name].weight) for name, numbers in parts.items()), axis=1
    )
    things = graph.node("Relu", graph.node("Add", things, graph.bias(model.see_bias)))
    things = graph.node("Add", things, graph.bias(model.place))
    more = graph.node("Mul", players, graph.constant(np.array([EACH])))
    count = graph.node("Add", more, graph.constant(np.array([things_of(2)])))
    order = graph.node("Slice", graph.constant(ORDER), graph.constant(np.array([0])), count)
    return str(graph.node("Gather", things, order, axis=1))


def add_nothing(graph: Graph, things: str) -> str:
    """As many zeros as there are numbers."""
    return str(graph.node("Mul", things, graph.constant(np.array(0, np.float32))))


def add_seats(graph: Graph, model: Model, things: str, players: str) -> None:
    """The shares of the win."""
    seats = graph.layer(graph.cut(things, 1, SEAT, THINGS, EACH), model.rate_seat.weight, model.rate_seat.bias)
    ratings = graph.filled(graph.node("Squeeze", seats, graph.constant(np.array([2]))), players, ABSENT)
    graph.node("Softmax", ratings, output="shares", axis=1)


def add_actions(graph: Graph, model: Model, things: str, players: str) -> None:
    """`Model.rate_actions`."""

    def rated(first: int, last: int, layer: nn.Linear, step: int = 1) -> str:
        return graph.layer(graph.cut(things, 1, first, last, step), layer.weight, layer.bias)

    def each(ratings: str, number: int) -> str:
        return str(graph.node("Gather", ratings, graph.constant(np.array(number)), axis=2))

    market = rated(0, MARKET, model.rate_market)
    reserved = each(rated(RESERVED, RESERVED + RESERVE_LIMIT, model.rate_reserved), 0)
    first_noble = each(rated(FIRST_NOBLE, SEAT, model.rate_noble), 0)
    other_nobles = graph.filled(each(rated(NOBLE, THINGS, model.rate_noble, EACH), 0), players, 0.0)
    table = graph.node("Squeeze", rated(TABLE, TABLE + 1, model.rate_table), graph.constant(np.array([1])))
    takes, decks, others = graph.node("Split", table, graph.constant(np.array(TABLE_PARTS)), outputs=3, axis=1)
    parts = (takes, each(market, 0), decks, each(market, 1), reserved, others, first_noble, other_nobles)
    graph.node("Concat", *parts, output="ratings", axis=1)


def array(tensor: Tensor) -> NDArray[np.float32]:
    return np.asarray(tensor.detach().float().cpu().numpy(), np.float32)
