"""The trained network as an ONNX file: the form in which it is shipped and played with.

The graph is written node by node, since there are few. Weights are stored small and brought back to 32 bits when the
file is loaded: as 16-bit floats, or as 8-bit integers with a scale for each output.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splendor.actions import ACTIONS
from splendor.components import MAX_PLAYERS
from splendor.features import OBSERVATION_SIZE
from splendor.training.model import Model

OPSET = 17
FORMATS = ("float32", "float16", "int8")


def export_onnx(model: Model, path: Path, weights: str = "float16", about: dict[str, Any] | None = None) -> None:
    """Write the file. `weights` says how they are stored; `about` is kept with them."""
    import onnx
    from onnx import TensorProto, helper

    graph = Graph(weights)
    hidden = graph.node("Cast", "observations", to=TensorProto.FLOAT)
    players = graph.node(
        "Slice", hidden, graph.constant(np.array([0])), graph.constant(np.array([3])), graph.constant(np.array([1]))
    )
    hidden = graph.node("Relu", graph.layer(hidden, model.enter.weight * model.scale, model.enter.bias))
    for inner, outer in zip(model.inner, model.outer, strict=True):
        added = graph.layer(graph.node("Relu", graph.layer(hidden, inner.weight, inner.bias)), outer.weight)
        hidden = graph.node("Add", hidden, added)
    seats = graph.layer(hidden, model.leave.weight[:MAX_PLAYERS], model.leave.bias[:MAX_PLAYERS])
    absent = graph.node("MatMul", players, graph.constant(array(model.absent)))
    graph.node("Softmax", graph.node("Add", seats, absent), output="shares", axis=1)
    ratings = graph.layer(hidden, model.leave.weight[MAX_PLAYERS:], model.leave.bias[MAX_PLAYERS:])
    graph.node("Identity", ratings, output="ratings")
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
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=8,
    )
    for key, value in (about or {}).items():
        made.metadata_props.add(key=key, value=value if isinstance(value, str) else json.dumps(value))
    onnx.checker.check_model(made)
    path.write_bytes(made.SerializeToString())


class Graph:
    """Nodes and weights in the order in which they are added."""

    def __init__(self, weights: str) -> None:
        """`weights`: how matrices are stored."""
        if weights not in FORMATS:
            raise ValueError(f"weights cannot be stored as {weights!r}, only as {', '.join(FORMATS)}")
        self.weights = weights
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []

    def node(self, kind: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """Add a node; return the name of its output."""
        from onnx import helper

        output = output or f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def constant(self, value: NDArray[Any]) -> str:
        """Add numbers as they are."""
        from onnx import numpy_helper

        name = f"constant_{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def matrix(self, value: NDArray[np.float32]) -> str:
        """Add a matrix in the chosen form, and what brings it back to 32 bits."""
        from onnx import TensorProto

        if self.weights == "float32":
            return self.constant(value)
        if self.weights == "float16":
            return self.node("Cast", self.constant(value.astype(np.float16)), to=TensorProto.FLOAT)
        scale = np.maximum(np.abs(value).max(axis=0, keepdims=True), 1e-12) / 127
        whole = self.node("Cast", self.constant(np.round(value / scale).astype(np.int8)), to=TensorProto.FLOAT)
        return self.node("Mul", whole, self.constant(scale.astype(np.float32)))

    def layer(self, inputs: str, weight: Any, bias: Any = None) -> str:
        """A fully connected layer with PyTorch's weights [output, input]."""
        product = self.node("MatMul", inputs, self.matrix(array(weight).T))
        return product if bias is None else self.node("Add", product, self.constant(array(bias)))


def array(tensor: Any) -> NDArray[np.float32]:
    return np.asarray(tensor.detach().float().cpu().numpy(), np.float32)
