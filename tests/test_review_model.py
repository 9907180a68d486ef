"""A review is a plain value: it goes to JSON and back, and fits its schema."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import splendor
from splendor.analysis import Candidate, RevealedCard, Review, SeatReview, TurnReview
from splendor.analysis.model import Performance, Reason, make_schema, schema

pytestmark = pytest.mark.compiled_only

SCHEMA = Path(splendor.__file__).parent / "data" / "review.schema.json"


def small_review() -> Review:
    turn = TurnReview(
        number=0,
        round_number=1,
        seat=0,
        move="+wug",
        best="r17",
        loss=0.03,
        error=0.005,
        grade="inaccuracy",
        cost=(0.03, -0.03),
        candidates=(
            Candidate(move="r17", worth=0.5, shares=(0.5, 0.5), error=0.004, prior=0.4, visits=30, line=("r17",)),
        ),
        reasons=(Reason(code="noble", params={"noble": 3}, text="…"),),
        reveals=(RevealedCard(seat=0, kind="market", level=1, card=17, luck=(0.02, -0.02)),),
        luck=(0.02, -0.02),
        shares=(0.5, 0.5),
    )
    level = Performance(scale=1.4, low=0.9, high=2.1, below="journeyman", above="artisan", decisions=20)
    seat = SeatReview(
        seat=0,
        name="Ann",
        average=0.52,
        result=1,
        deal=0.01,
        luck=0.2,
        own_errors=-0.1,
        own_errors_error=0.02,
        others_errors=0.3,
        others_errors_error=0.02,
        rest=0.07,
        decisions=20,
        grades={"best": 12, "good": 8},
        mean_loss=0.005,
        accuracy=91.5,
        performance=level,
    )
    return Review(
        network="0123456789abcdef",
        effort="quick",
        seed=1,
        players=2,
        names=("Ann", None),
        position="…",
        is_over=True,
        start=(0.5, 0.5),
        turns=(turn,),
        summary=(seat,),
        total=1,
    )


def test_a_review_goes_to_json_and_back() -> None:
    review = small_review()
    text = json.dumps(review.to_json())
    assert Review.from_json(text) == review == Review.from_json(json.loads(text))
    assert not review.is_complete


def test_a_review_fits_the_schema_in_the_package(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--write-golden"):
        SCHEMA.write_text(json.dumps(make_schema(), indent=1) + "\n", encoding="utf-8")
    assert schema() == make_schema(), "the types changed; if they should, run make golden"
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(small_review().to_json(), schema())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "network"),
        ("[", "Invalid JSON"),
        ('{"version": 2}', "version"),
        (json.dumps({**small_review().to_json(), "mood": "good"}), "mood"),
    ],
)
def test_what_is_no_review_is_refused_with_a_sentence(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Review.from_json(text)
