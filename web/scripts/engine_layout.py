"""Writes engine/layout.ts: where the fields of a state lie, the numbers of the actions, cards and nobles.

And engine/levels.ts: the computers by name, in a file of its own, since pages need it that need nothing else.
And engine/analysis/tables.ts: thresholds and measured tables of the reviews.

../.venv/bin/python scripts/engine_layout.py           write it
../.venv/bin/python scripts/engine_layout.py --check   fail if it is not up to date

All of it comes from the package, so that the engine in the page and the rules cannot drift apart.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from splendor.analysis import (
    accuracy,
    averages,
    evaluation,
    grades,
    model,
    performance,
    reasons,
    reviewer,
    summary,
    value,
)
from splendor.analysis import levels as graded_levels
from splendor.core import actions, components, rules, state
from splendor.core.features import OBSERVATION_SIZE
from splendor.core.turns import DECISIONS, MOST_PAYMENTS, MOST_TURNS, NO_ACTION, TURN
from splendor.network import rotation
from splendor.network.kernel import action_values, layout
from splendor.network.network import load_network
from splendor.players import greedy, levels
from splendor.players import network as network_player
from splendor.search import worth
from splendor.search.kernel import settings, tree
from splendor.wasm import rules_module

ENGINE = Path(__file__).parent.parent / "engine"
KINDS = {
    "int8": "i8",
    "uint8": "u8",
    "int16": "i16",
    "uint16": "u16",
    "int32": "i32",
    "uint32": "u32",
    "int64": "i64",
    "uint64": "u64",
    "float32": "f32",
    "float64": "f64",
}


def record(dtype: np.dtype[Any]) -> dict[str, Any]:
    """The size of a record and the place, kind and count of each field; of one that holds records, the place alone."""
    fields: dict[str, Any] = {}
    for name in dtype.names or ():
        field, at = (dtype.fields or {})[name][:2]
        fields[name] = {"at": at, "kind": KINDS.get(field.base.name, "record"), "count": int(np.prod(field.shape))}
    return {"size": dtype.itemsize, "fields": fields}


def constants(module: Any, names: str) -> dict[str, Any]:
    """Some numbers of a module by their names."""
    return {name: getattr(module, name) for name in names.split()}


def tree_arrays() -> dict[str, Any]:
    """The arrays of a tree: for each node or edge so many numbers of this kind."""
    made = tree.new_tree(2)
    edges = 2 * tree.EDGES_PER_NODE
    arrays: dict[str, Any] = {}
    for name, array in made._asdict().items():
        of = "tree" if name == "used" else "edge" if len(array) == edges else "node"
        each = int(np.prod(array.shape[1:])) * (len(array) if of == "tree" else 1)
        arrays[name] = {"of": of, "kind": KINDS[array.dtype.name], "each": each}
    return arrays


def measured_losses() -> dict[str, Any]:
    """How often each level loses how much: by effort and number of players."""
    return {
        effort: {
            players: {
                level: {"decisions": found["decisions"], "counts": found["counts"]}
                for level, found in entry["levels"].items()
            }
            for players, entry in by_players.items()
        }
        for effort, by_players in performance.stored()["efforts"].items()
    }


def analysis_tables() -> dict[str, Any]:
    """What `engine/analysis` reckons with."""
    first = averages.stored()
    return {
        "FORMULA": model.FORMULA,
        "FINGERPRINT": first["network"],
        "AVERAGE": {players: entry["shares"] for players, entry in first["players"].items()},
        "POWERS": value.powers_of(load_network()),
        "EFFORTS": model.EFFORTS,
        "EVALUATION": constants(evaluation, "SIMULATIONS EVERY PRIOR_ERROR LATER_ERROR"),
        "REVIEW": constants(reviewer, "MOST_TURNS CANDIDATES CLEAR_PARTS UNCLEAR_TIMES SEEDS"),
        "GRADES": constants(
            grades,
            "THRESHOLDS CERTAINTY SERIOUS_CERTAINTY GREAT_GAP UNLIKELY OBVIOUS COUNTED ERRORS SERIOUS",
        ),
        "ACCURACY": constants(accuracy, "HALF STEEPNESS"),
        "MOMENTS": constants(summary, "LUCKY COSTLY MOST_MOMENTS DIGITS"),
        "REASONS": constants(reasons, "MOST_REASONS TURNS_AHEAD FEW_LACKING LEAST_GAIN DENIED_POINTS PLAYED SECOND"),
        "TEMPERATURES": graded_levels.TEMPERATURES,
        "PERFORMANCE": constants(
            performance,
            "LOSS_BINS HARDNESS_BINS YARDSTICK CONFIDENCE STEPS FEWEST FEWEST_MEASURED PRIOR_DECISIONS",
        ),
        "MEASURED": measured_losses(),
    }


def engine_tables() -> dict[str, Any]:
    """What the rest of the engine reckons with."""
    return {
        "RECORDS": {
            "state": record(state.STATE),
            "turn": record(TURN),
            "desk": record(rules_module.DESK),
            "tree": record(rules_module.TREE),
            "leaves": record(rules_module.LEAVES),
            "settings": record(rules_module.SETTINGS),
            "paper": record(rules_module.PAPER),
            "found": record(rules_module.FOUND),
            "opinion": record(rules_module.OPINION),
        },
        "TREE_ARRAYS": tree_arrays(),
        "EDGES_PER_NODE": tree.EDGES_PER_NODE,
        "NETWORK": {
            "weights": layout.WEIGHTS.itemsize,
            "packed": layout.PACKED.itemsize,
            "kept": int(layout.PACKED.fields["see"][1]),  # type: ignore[index]
            "desk": layout.DESK.itemsize,
            "rotations": rotation.ROTATIONS,
        },
        "OBSERVATION_SIZE": OBSERVATION_SIZE,
        "TURNS": {"most": MOST_TURNS, "most_payments": MOST_PAYMENTS, "decisions": DECISIONS, "no_action": NO_ACTION},
        "ACTION": constants(
            actions,
            "TAKE_THREE TAKE_TWO_DIFFERENT TAKE_ONE TAKE_PAIR RESERVE_MARKET RESERVE_DECK BUY_MARKET BUY_RESERVED PASS "
            "RETURN_TOKEN CHOOSE_NOBLE ACTIONS",
        ),
        "TAKEN": actions.TAKEN.tolist(),
        "PHASE": constants(state, "ACT RETURN NOBLE ENDED_BY_POINTS ENDED_BY_STALEMATE ENDED_BY_CAP"),
        "TABLE": {
            **constants(components, "MAX_PLAYERS LEVELS CARDS NOBLES UNSEEN NO_CARD NO_NOBLE GOLD NOBLE_POINTS"),
            **constants(state, "SLOTS MARKET RESERVE_LIMIT TABLE_NOBLES NOBODY"),
        },
        "LIMITS": {
            **constants(rules, "HAND_LIMIT PAIR_PILE WINNING_POINTS GOLD_TOKENS"),
            "GEM_TOKENS": rules.GEM_TOKENS.tolist(),
        },
        "PHASES": state.PHASES,
        "COLORS": components.COLORS,
        "CARDS_IN_LEVEL": components.CARDS_IN_LEVEL.tolist(),
        "FIRST_CARD": components.FIRST_CARD.tolist(),
        "CARD_LEVEL": components.CARD_LEVEL.tolist(),
        "CARD_BONUS": components.CARD_BONUS.tolist(),
        "CARD_POINTS": components.CARD_POINTS.tolist(),
        "CARD_COST": components.CARD_COST.tolist(),
        "NOBLE_COST": components.NOBLE_COST.tolist(),
        "SEARCH": {
            "settings": settings.SearchSettings()._asdict(),
            **constants(worth, "PRIOR_VISITS PRIOR_TEMPERATURE"),
        },
        "NETWORK_PLAYER": {
            "settings": network_player.SETTINGS._asdict(),
            **constants(network_player, "IMPATIENCE LAST_SEARCH PATIENT_ROUNDS"),
        },
        "GREEDY_PLAYER": constants(greedy, "IMPATIENCE PATIENT_ROUNDS"),
        "OPINION": constants(action_values, "NOT_TRIED LIKELY TRIED_OUT FINAL NOT_LEGAL"),
    }


def generate(parts: dict[str, Any]) -> str:
    """A whole file."""
    text = "// Written by web/scripts/engine_layout.py from the package; do not edit.\n"
    for name, content in parts.items():
        text += f"\nexport const {name} = {json.dumps(content)} as const\n"
    return text


def level_tables() -> dict[str, Any]:
    """The computers by name."""
    return {"LEVELS": levels.LEVELS}


FILES = {"layout.ts": engine_tables, "levels.ts": level_tables, "analysis/tables.ts": analysis_tables}


def main() -> int:
    """Write, or check."""
    texts = {ENGINE / name: generate(made()) for name, made in FILES.items()}
    if "--check" in sys.argv:
        if all(file.exists() and file.read_text(encoding="utf-8") == text for file, text in texts.items()):
            return 0
        sys.stderr.write("web/engine is not up to date: run  python web/scripts/engine_layout.py\n")
        return 1
    for file, text in texts.items():
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
