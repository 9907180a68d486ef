"""The messages of the protocol: what prints can be read back, and nothing else is accepted."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from splendor.protocol.messages import (
    MAX_LINE,
    Analyse,
    Analysis,
    Best,
    Candidate,
    Error,
    Go,
    Hello,
    Info,
    Option,
    Ping,
    Pong,
    Position,
    ProtocolError,
    Quit,
    Reply,
    Request,
    SetOptions,
    Stop,
    Welcome,
    format_message,
    parse_reply,
    parse_request,
)
from splendor.protocol.ruleset import fingerprint, ruleset_text

pytestmark = pytest.mark.compiled_only

ids = st.integers(0, 2**53 - 1)
texts = st.text(st.characters(codec="utf-8"), max_size=20)
moves = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
shares = st.none() | st.lists(st.floats(0, 1), min_size=2, max_size=4).map(tuple)
visits = st.integers(0, 10**9)
values = st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | texts
limits = {"simulations": st.none() | st.integers(1, 10**9), "time": st.none() | st.floats(0.001, 86400)}
candidates = st.builds(Candidate, move=moves, visits=visits, shares=shares)

requests = st.one_of(
    st.builds(Hello, id=ids, protocol=st.integers(0, 9), rules=texts),
    st.builds(SetOptions, id=ids, values=st.dictionaries(texts, values, max_size=3)),
    st.builds(Position, id=ids, position=texts, viewer=st.integers(0, 3), moves=st.none() | st.tuples(moves, moves)),
    st.builds(Go, id=ids, **limits),
    st.builds(Go, id=ids, infinite=st.just(True)),
    st.builds(Analyse, id=ids, **limits),
    st.builds(Stop, id=ids),
    st.builds(Ping, id=ids),
    st.builds(Quit, id=ids),
)
replies = st.one_of(
    st.builds(
        Welcome,
        id=ids,
        protocol=st.integers(0, 9),
        name=texts,
        author=texts,
        rules=texts,
        options=st.lists(st.builds(Option, name=texts, default=values, help=texts), max_size=2).map(tuple),
    ),
    st.builds(Info, id=ids, visits=visits, shares=shares, line=st.lists(moves, max_size=4).map(tuple)),
    st.builds(Best, id=ids, move=moves),
    st.builds(Analysis, id=ids, moves=st.lists(candidates, min_size=1, max_size=3).map(tuple)),
    st.builds(Pong, id=ids),
    st.builds(Error, id=st.none() | ids, reason=texts),
)


@given(requests)
def test_requests_read_back(request: Request) -> None:
    line = format_message(request)
    assert "\n" not in line
    assert parse_request(line) == request
    assert parse_request(line.encode()) == request


@given(replies)
def test_replies_read_back(reply: Reply) -> None:
    line = format_message(reply)
    assert "\n" not in line
    assert parse_reply(line) == reply


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_any_line_is_a_message_or_refused(line: bytes | str) -> None:
    for parse in (parse_request, parse_reply):
        try:
            parse(line)
        except ProtocolError as error:
            assert str(error)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(requests | replies, st.sampled_from(["id", "type", "moves", "extra", "position", "time", "values"]), json_values)
def test_a_changed_field_is_refused_or_means_what_it_says(message: Request | Reply, name: str, value: object) -> None:
    fields = json.loads(format_message(message))
    fields[name] = value
    line = json.dumps(fields)
    for parse in (parse_request, parse_reply):
        try:
            again = parse(line)
        except ProtocolError:
            continue
        assert parse(format_message(again)) == again
        assert name in type(again).model_fields


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "EOF"),
        ("[]", "a message is"),
        ("{}", 'a message is an object with a "type"'),
        ('{"type": "dance", "id": 1}', "unknown type of message"),
        ('{"type": "go"}', "id: this field is missing"),
        ('{"type": "go", "id": "1"}', "id: Input should be a valid integer"),
        ('{"type": "go", "id": true}', "id: Input should be a valid integer"),
        ('{"type": "go", "id": 1, "depth": 3}', "depth: unknown field"),
        ('{"type": "go", "id": 1, "time": 0}', "time: Input should be greater than 0"),
        ('{"type": "go", "id": 1, "time": NaN}', "time"),
        ('{"type": "go", "id": 1, "time": 1, "infinite": true}', "infinite thinking has no other limit"),
        ('{"type": "ping", "id": 1} {"type": "ping", "id": 2}', "trailing"),
        ("[" * 10_000, "recursion"),
        (" " * (MAX_LINE + 1), "a message has at most"),
    ],
)
def test_a_refusal_says_what_is_wrong(line: str, reason: str) -> None:
    with pytest.raises(ProtocolError, match=reason):
        parse_request(line)


def test_a_refusal_names_the_request_where_it_can() -> None:
    with pytest.raises(ProtocolError) as refusal:
        parse_request('{"type": "go", "id": 17, "depth": 3}')
    assert refusal.value.id == 17


def test_the_fingerprint_covers_every_card_noble_and_action() -> None:
    kinds = [line.split()[0] for line in ruleset_text().splitlines()]
    assert (kinds.count("card"), kinds.count("noble"), kinds.count("action")) == (90, 10, 72)
    assert fingerprint() == "6c3d0645675d3eb9"  # a change means: another game, or other numbers for the same
