"""The trained network as an ONNX file: the form in which it is shipped and played with.

The graph is written node by node, since there are few. Weights are stored small. As 16-bit floats they are brought
back to 32 bits when the file is loaded. As 8-bit integers they stay what they are: onnxruntime rounds what comes into a
layer to 8 bits as well, and multiplies integers, with a scale for every few numbers. A large network then fits into the
cache of a core, and a single position takes a quarter of the time. The first and the last layer always have 16 bits:
what comes into the first is of very different size, and 8 bits there cost the whole network its judgement; the last is
small.
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
MICROSOFT = "com.microsoft"  # operators that onnxruntime has and the standard does not
FORMATS = ("float32", "float16", "int8")
GROUP = 32  # 8-bit weights with a scale in common
ZERO = 128  # what 0 is stored as among 8-bit weights
WHOLE_NUMBERS = 4  # what onnxruntime calls it when inputs may be rounded to 8 bits


def export_onnx(model: Model, path: Path, weights: str = "int8", about: dict[str, Any] | None = None) -> None:
    """Write the file. `weights` says how they are stored; `about` is kept with them."""
    import onnx
    from onnx import TensorProto, helper

    if weights not in FORMATS:
        raise ValueError(f"weights cannot be stored as {weights!r}, only as {', '.join(FORMATS)}")
    graph = Graph("float32" if weights == "float32" else "float16")
    hidden = graph.node("Cast", "observations", to=TensorProto.FLOAT)
    players = graph.node(
        "Slice", hidden, graph.constant(np.array([0])), graph.constant(np.array([3])), graph.constant(np.array([1]))
    )
    hidden = graph.node("Relu", graph.layer(hidden, model.enter.weight * model.scale, model.enter.bias))
    for inner, outer in zip(model.inner, model.outer, strict=True):
        between = graph.node("Relu", graph.layer(hidden, inner.weight, inner.bias, weights))
        hidden = graph.node("Add", hidden, graph.layer(between, outer.weight, None, weights))
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
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)],
        ir_version=8,
    )
    for key, value in (about or {}).items():
        made.metadata_props.add(key=key, value=value if isinstance(value, str) else json.dumps(value))
    onnx.checker.check_model(made)
    path.write_bytes(made.SerializeToString())


class Graph:
    """Nodes and weights in the order in which they are added."""

    def __init__(self, weights: str) -> None:
        """`weights`: how matrices are stored if nothing else is said."""
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

    def layer(self, inputs: str, weight: Any, bias: Any, weights: str | None = None) -> str:
        """A fully connected layer with PyTorch's weights [output, input]."""
        from onnx import TensorProto

        weights, matrix = weights or self.weights, array(weight)
        if weights == "int8":
            product = self.rounded_product(inputs, matrix)
        elif weights == "float16":
            wide = self.node("Cast", self.constant(matrix.T.astype(np.float16)), to=TensorProto.FLOAT)
            product = self.node("MatMul", inputs, wide)
        else:
            product = self.node("MatMul", inputs, self.constant(matrix.T))
        return product if bias is None else self.node("Add", product, self.constant(array(bias)))

    def rounded_product(self, inputs: str, matrix: NDArray[np.float32]) -> str:
        """A product with a matrix [output, input] that is stored in 8 bits."""
        rows, columns = matrix.shape
        groups = np.pad(matrix, ((0, 0), (0, -columns % GROUP))).reshape(rows, -1, GROUP)
        scale = np.maximum(np.abs(groups).max(axis=2), 1e-12) / (ZERO - 1)
        whole = (np.round(groups / scale[:, :, None]) + ZERO).astype(np.uint8)
        return self.node(
            "MatMulNBits",
            inputs,
            self.constant(whole),
            self.constant(scale),
            domain=MICROSOFT,
            K=columns,
            N=rows,
            bits=8,
            block_size=GROUP,
            accuracy_level=WHOLE_NUMBERS,
        )


def array(tensor: Any) -> NDArray[np.float32]:
    return np.asarray(tensor.detach().float().cpu().numpy(), np.float32)
