"""Constructed cases of the memory engine, one rule or move each, and what holds for every memory."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter

import msgspec
import pytest

from domain.memory import (
    EVERYBODY,
    TOP,
    Contradiction,
    Described,
    Knowledge,
    Memory,
    Move,
    Show,
    Shuffle,
    Zone,
    forgetting,
    start,
)
from tests.domain.test_memory_piles import CHOOSING, VARIED, Table, play_one

ZONES = {
    "pile": Zone(ordered=True),
    **{f"hand {seat}": Zone((seat,)) for seat in range(3)},
    **{f"box {seat}": Zone((seat,)) for seat in range(3)},
    "waiting": Zone(),
}


def cards(text: str) -> tuple[str, ...]:
    """`"2 a1, b2"`: two cards of kind a1, one of b2."""
    return tuple(
        kind for part in text.split(", ") if part for *n, kind in [part.split()] for _ in range(int(n[0]) if n else 1)
    )


def move(text: str, source: str | None, target: str | None, **how: object) -> Move:
    return Move(cards(text), source, target, **how)  # type: ignore[arg-type]


def given(*told: Described) -> Memory:
    return start(3, ZONES).after(*told)


def known(memory: Memory, zone: str, viewer: int | None = None) -> tuple[dict[str, int], dict[str, int]]:
    answer = memory.knowledge(viewer, zone)
    return answer.guaranteed, answer.possible


FIVE_AND_TWO = move("5 paper1, 2 can1", None, "hand 0")
DISPOSAL = move("paper1, can1", "hand 0", "box 0")


def test_a_joint_disposal_lowers_every_guarantee_but_keeps_the_sum() -> None:
    memory = given(FIVE_AND_TWO, DISPOSAL)
    assert known(memory, "hand 0") == ({"paper1": 3}, {"paper1": 5, "can1": 2})
    assert known(memory, "box 0") == ({}, {"paper1": 2, "can1": 2})


def test_a_later_delivery_refutes_disposals() -> None:
    memory = given(FIVE_AND_TWO, DISPOSAL, move("4 paper1", "hand 0", None))
    assert known(memory, "box 0") == ({"can1": 1}, {"can1": 2, "paper1": 1})


def test_a_fifth_delivery_settles_the_disposal() -> None:
    told = move("2 can1", "hand 0", "box 0"), move("4 paper1", "hand 0", None), move("paper1", "hand 0", None)
    memory = given(FIVE_AND_TWO, *told)
    assert known(memory, "box 0") == ({"can1": 2}, {"can1": 2})
    assert known(memory, "hand 0") == ({}, {})


def test_a_card_collected_since_leaves_the_disposal_open() -> None:
    told = DISPOSAL, move("paper1", None, "hand 0"), move("5 paper1", "hand 0", None)
    memory = given(FIVE_AND_TWO, *told)
    assert known(memory, "box 0") == ({"can1": 1}, {"can1": 2, "paper1": 1})


def test_a_disposal_can_only_have_taken_what_was_in_the_hand_at_that_time() -> None:
    memory = given(move("2 a", None, "hand 0"), move("a", "hand 0", "box 0"), move("3 b", None, "hand 0"))
    assert known(memory, "box 0") == ({"a": 1}, {"a": 1})


def test_the_owner_knows_its_own_disposals_and_nobody_else_does() -> None:
    memory = given(FIVE_AND_TWO, DISPOSAL)
    assert known(memory, "box 0", 0) == ({"can1": 1, "paper1": 1},) * 2
    assert known(memory, "box 0", 1) == known(memory, "box 0")


def test_a_known_copy_is_delivered_before_an_unknown_one() -> None:
    told = Shuffle(cards("3 a, 3 b"), "pile"), move("a, b", "pile", "hand 0"), move("a", None, "hand 0")
    assert known(given(*told, move("a", "hand 0", None)), "hand 0") == ({}, {"a": 2, "b": 2})


def test_an_unseen_card_kept_until_the_pile_runs_out_is_known() -> None:
    told = Shuffle(cards("2 a, b, c"), "pile"), move("a", "pile", "hand 0")
    memory = given(*told, move("b, a", "pile", None))
    assert known(memory, "hand 0") == ({}, {"a": 1, "c": 1})
    memory = memory.after(move("c", "pile", None))
    assert known(memory, "hand 0") == ({"a": 1}, {"a": 1})


def test_when_the_pile_is_exhausted_the_hands_together_hold_all_that_was_not_seen() -> None:
    told = Shuffle(cards("3 a, 2 b"), "pile"), move("2 a", "pile", "hand 0"), move("a, b", "pile", "hand 1")
    memory = given(*told, move("b", "pile", None))
    assert known(memory, "hand 0") == ({"a": 1}, {"a": 2, "b": 1})
    assert known(memory, "hand 0", 1) == ({"a": 2}, {"a": 2})


def test_with_all_doubles_visible_nobody_can_hold_one() -> None:
    told = Shuffle(cards("4 a1, 3 a2, b1"), "pile"), move("2 a1", "pile", "hand 0")
    assert known(given(*told, move("2 a2", "pile", None)), "hand 0")[1]["a2"] == 1
    assert "a2" not in known(given(*told, move("3 a2", "pile", None)), "hand 0")[1]


def test_a_reshuffled_pile_has_exactly_the_cards_that_lay_open_and_no_known_order() -> None:
    told = Shuffle(cards("2 a, b"), "pile"), move("2 a, b", "pile", None), Shuffle(cards("2 a, b"), "pile")
    memory = given(*told)
    assert known(memory, "pile") == ({"a": 2, "b": 1},) * 2
    assert memory.places(None, "pile") == {}
    assert memory.after(move("b", "pile", None)).places(None, "pile") == {0: "a", 1: "a"}


def test_two_lots_in_a_pile_keep_apart() -> None:
    memory = given(Shuffle(cards("a, b"), "pile"), Shuffle(cards("2 c"), "pile"))
    assert memory.places(None, "pile") == {2: "c", 3: "c"}
    memory = memory.after(move("a", "pile", "waiting"))
    assert known(memory, "waiting") == ({}, {"a": 1, "b": 1})


def test_a_card_drawn_unseen_is_unknown_to_its_owner_until_it_takes_it() -> None:
    told = Shuffle(cards("a, b"), "pile"), move("a", "pile", "waiting")
    memory = given(*told)
    assert known(memory, "waiting", 0) == ({}, {"a": 1, "b": 1})
    memory = memory.after(move("a", "waiting", "hand 0"))
    assert known(memory, "hand 0", 0) == ({"a": 1}, {"a": 1})
    assert known(memory, "hand 0", 1) == ({}, {"a": 1, "b": 1})


def test_a_shown_top_card_is_known_when_it_is_drawn_unseen() -> None:
    told = Shuffle(cards("a, b, c"), "pile"), Show(("b",), "pile", at=1), move("a", "pile", "waiting")
    memory = given(*told)
    assert memory.places(None, "pile") == {0: "b"}
    assert known(memory.after(move("b", "pile", "hand 0")), "hand 0", 1) == ({"b": 1}, {"b": 1})


def test_cards_returned_unseen_lie_at_known_places_as_unknown_ones_of_that_hand() -> None:
    told = Shuffle(cards("x, y"), "pile"), move("a, b, c", None, "hand 0"), move("b, a", "hand 0", "pile")
    memory = given(*told)
    assert memory.places(0, "pile") == {2: "b", 3: "a"}
    assert memory.places(1, "pile") == {}
    assert known(memory, "hand 0", 1) == ({}, {"a": 1, "b": 1, "c": 1})
    memory = memory.after(move("c", "hand 0", None), move("x, y, b", "pile", None))
    assert memory.places(1, "pile") == {0: "a"}


def test_exchanged_hands_stay_known_to_their_former_holders() -> None:
    told = Shuffle(cards("3 a, 3 b"), "pile"), move("2 a", "pile", "hand 0"), move("2 b", "pile", "hand 1")
    memory = given(*told, move("2 b", "hand 1", "waiting"), move("2 a", "hand 0", "hand 1"))
    assert known(memory, "waiting", 1) == ({"b": 2}, {"b": 2})
    assert known(memory, "waiting", 0) == ({"b": 1}, {"a": 1, "b": 2})
    assert known(memory, "hand 1", 0) == ({"a": 2}, {"a": 2})
    assert known(memory, "hand 1", None) == ({}, {"a": 2, "b": 2})


def test_a_hand_shown_to_some_is_known_to_them_alone() -> None:
    told = Shuffle(cards("a, b, c"), "pile"), move("a", "pile", "hand 0"), Show(("a",), "hand 0", seen=(2,))
    memory = given(*told)
    assert known(memory, "hand 0", 2) == ({"a": 1}, {"a": 1})
    assert known(memory, "hand 0", 1) == ({}, {"a": 1, "b": 1, "c": 1})


def test_a_move_between_hidden_zones_can_be_seen_by_everybody() -> None:
    told = Shuffle(cards("a, b"), "pile"), move("a", "pile", "hand 0"), move("a", "hand 0", "waiting", seen=EVERYBODY)
    assert known(given(*told), "waiting") == ({"a": 1}, {"a": 1})


def test_a_second_copy_drawn_later_may_be_the_one_that_was_played() -> None:
    told = (
        Shuffle(cards("2 a, 2 b"), "pile"),
        move("a, b", "pile", None),
        move("a, b", None, "hand 0"),
        move("a", "hand 0", "box 0"),
        move("a", "pile", "hand 0"),
        move("a", "hand 0", None),
    )
    assert known(given(*told), "box 0") == ({}, {"a": 1, "b": 1})
    assert known(given(*told), "hand 0") == ({}, {"a": 1, "b": 1})


def test_all_cards_at_the_top_of_a_pile_can_come_back_unseen() -> None:
    told = move("a, b", None, "hand 0"), move("a", "hand 0", "pile", place=TOP), move("a", "pile", "hand 1")
    memory = given(*told, move("a", "hand 1", None))
    assert known(memory, "hand 0", None) == ({"b": 1}, {"b": 1})


# What holds for every memory


def test_a_move_that_no_world_allows_is_refused() -> None:
    memory = given(Shuffle(cards("2 a"), "pile"), move("a", "pile", "hand 0"))
    with pytest.raises(Contradiction, match="the public"):
        Memory(memory.zones, memory.beliefs[-1:]).after(move("b", "hand 0", None))
    with pytest.raises(ValueError, match="too short"):
        memory.after(move("2 a", "pile", None))


def test_a_memory_is_a_value_and_its_past_stays_as_it_was() -> None:
    memory = given(FIVE_AND_TWO)
    before = known(memory, "hand 0")
    memory.after(DISPOSAL)
    memory.knowledge(None, "hand 0").guaranteed.clear()
    assert known(memory, "hand 0") == before


def random_table(seed: int, moves: list[str], length: int = 20, seats: int = 2, deck: str = "aabbcd") -> Table:
    table = Table(seats, [deck], random.Random(seed))
    for _ in range(length):
        play_one(table, moves)
    return table


@pytest.mark.parametrize("seed", range(20))
def test_a_memory_survives_json_and_goes_on_as_before(seed: int) -> None:
    memory = random_table(seed, VARIED).memory
    kept = msgspec.json.decode(msgspec.json.encode(memory), type=Memory)
    assert kept == memory
    later = Shuffle(cards("x, y"), "deck")
    assert kept.after(later) == memory.after(later)


@pytest.mark.parametrize("seed", range(20))
def test_sights_only_narrow_the_bounds_of_cards_that_do_not_move(seed: int) -> None:
    table = random_table(seed, VARIED)
    before = {(viewer, zone): table.memory.knowledge(viewer, zone) for viewer in table.viewers for zone in table.zones}
    for zone, held in table.truth.items():
        if held:
            at = table.rng.randrange(len(held))
            table.show([held[at]], zone, at if table.zones[zone].ordered else 0)
    for (viewer, zone), old in before.items():
        new = table.memory.knowledge(viewer, zone)
        assert Counter(old.guaranteed) <= Counter(new.guaranteed)
        assert Counter(new.possible) <= Counter(old.possible)


@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("seed", range(12))
def test_beyond_the_limit_bounds_stay_true_and_samples_legal(
    seed: int, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "LIMIT", limit)
    table = random_table(seed, VARIED if seed % 2 else CHOOSING, length=30, deck="aabbcd" if seed % 3 else "aaabb")
    hidden = Counter(card for held in table.truth.values() for card in held)
    for viewer in table.viewers:
        assert len(table.memory.beliefs[-1 if viewer is None else viewer]) <= max(limit, 1)
        for zone, held in table.truth.items():
            answer, truth = table.memory.knowledge(viewer, zone), Counter(held)
            assert Counter(answer.guaranteed) <= truth <= Counter(answer.possible)
        world = table.memory.sample(viewer, table.rng)
        assert Counter(card for content in world.values() for card in content) == hidden
        assert {zone: len(content) for zone, content in world.items()} == {
            zone: len(held) for zone, held in table.truth.items()
        }


def test_twins_that_a_viewer_cannot_tell_apart_give_it_the_same_belief() -> None:
    def told(hidden: str, disposed: str) -> tuple[Described, ...]:
        pile = Shuffle(cards("2 a, 2 b, 2 c"), "pile")
        return (
            pile,
            move(hidden, "pile", "hand 0"),
            move("2 c", None, "hand 0"),
            move(disposed, "hand 0", "box 0"),
            move("c", "hand 0", None),
        )

    one, other = given(*told("a, b", "a, c")), given(*told("2 b", "2 b"))
    assert one.beliefs[1:] == other.beliefs[1:]
    assert one.beliefs[0] != other.beliefs[0]


PRINTED = """
import random
from tests.domain.test_memory_cases import VARIED, random_table
table = random_table(3, VARIED)
print([table.memory.knowledge(viewer, zone) for viewer in table.viewers for zone in table.zones])
print(table.memory.sample(None, random.Random(1)))
"""


def test_answers_do_not_depend_on_the_hash_seed_of_the_process() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", PRINTED],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    assert b"Knowledge" in printed.pop()


def test_an_empty_table_knows_nothing_and_samples_nothing() -> None:
    memory = start(2, ZONES)
    assert memory.knowledge(None, "pile") == memory.knowledge(0, "hand 0") == Knowledge()
    assert set(memory.sample(1, random.Random(0)).values()) == {()}
