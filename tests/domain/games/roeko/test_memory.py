"""Perfect memory in R-Öko: the rules page's consequences, and equality with all worlds listed one by one."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from domain.games.roeko.facts import CardsDelivered, CardsDisposed, DumpRefilled, GameSetUp, PileReshuffled
from domain.games.roeko.state import RoekoState
from tests.domain.games.roeko.helpers import SEATS, Policy, blindly, bot_policy, chance_from, deal, rules_for
from tests.domain.games.roeko.test_playouts import no_rush, play
from tests.domain.games.roeko.worlds import KINDS, TooManyWorlds, Worlds


class Told:
    """A position and its memory after facts, which need not come from a legal game."""

    def __init__(self, *facts: Any) -> None:
        self.rules = rules_for(len(facts[0].hands))
        self.state: RoekoState | None = None
        self.memory: Any = None
        self.tell(*facts)

    def tell(self, *facts: Any) -> Told:
        for fact in facts:
            self.memory = self.rules.remember(self.memory, self.state, fact)
            self.state = self.rules.evolve(self.state, fact)
        return self

    def known(self, viewer: int | None) -> dict[str, Any]:
        assert self.state is not None
        return self.rules.knowledge(self.state, self.memory, viewer) or {}

    def hand(self, seat: int, viewer: int | None) -> tuple[dict[str, int], dict[str, int]]:
        """What a viewer can know of a hand: guaranteed, possible."""
        return tuple(self.known(viewer)["hands"][seat].values())

    def illegal(self, seat: int, viewer: int | None) -> tuple[dict[str, int], dict[str, int]]:
        return tuple(self.known(viewer)["illegal"][seat].values())


def delivered(seat: int, material: str, singles: int, collected: str = "") -> CardsDelivered:
    return CardsDelivered(seat, material, singles, 0, None, dict(Counter(collected.split())))


def whole_deal(seats: int, seed: int) -> GameSetUp:
    (fact,) = rules_for(seats).setup(0, chance_from(seed))
    assert isinstance(fact, GameSetUp)
    return fact


# The page's consequences


def test_knowledge_is_null_at_the_own_seat_and_the_public_has_none() -> None:
    told = Told(whole_deal(3, 1))
    assert [hand is None for hand in told.known(1)["hands"]] == [False, True, False]
    assert [pile is None for pile in told.known(1)["illegal"]] == [False, True, False]
    assert None not in told.known(None)["hands"]


def test_initial_hands_are_unknown_within_the_card_totals() -> None:
    start = replace(whole_deal(2, 1), dumps=("can2", "can1", "can2", "paper2"))
    guaranteed, possible = Told(start).hand(1, viewer=None)
    unseen = Counter([*start.hands[0], *start.hands[1], *start.pile])
    assert guaranteed == {}
    assert possible == {kind: min(3, unseen[kind]) for kind in KINDS if unseen[kind]}


def test_collected_cards_are_guaranteed_in_the_hand() -> None:
    start = deal("can1 can1 can1", "glass1 glass1 glass1", dumps="paper1 plastic2 can1 can1", pile="can1 can2 can2")
    told = Told(start, delivered(0, "can", 1, "paper1"))
    assert told.hand(0, viewer=1)[0] == {"paper1": 1}
    assert told.hand(0, viewer=None)[0] == {"paper1": 1}


def test_a_delivered_card_that_may_be_a_known_or_an_unknown_copy_uses_the_known_copy_first() -> None:
    start = deal("can1 paper1 glass1", "glass1 glass1 glass1", dumps="paper1 can1 can1 can1", pile="paper1 can1 " * 5)
    told = Told(start, delivered(0, "can", 1, "paper1"))
    assert told.hand(0, viewer=1)[0] == {"paper1": 1}
    told.tell(delivered(0, "paper", 1))
    guaranteed, possible = told.hand(0, viewer=1)
    assert guaranteed == {}
    assert possible["paper1"] == 2


def seven_known() -> Told:
    """Seat 1's hand known to be exactly five paper1 and two can1."""
    pile = "paper1 paper1 paper1 paper1 can1 can1 " + "glass1 " * 6 + "paper1 can1 paper2 can2 plastic1 plastic1"
    start = deal("can2 can2 plastic1", "glass1 glass1 glass1", dumps="plastic1 paper1 plastic1 plastic1", pile=pile)
    refill = DumpRefilled("glass", ("paper1", "paper1", "paper1", "paper1", "can1", "can1"))
    return Told(start, refill, delivered(1, "glass", 3, "paper1 " * 5 + "can1 can1"))


@pytest.mark.parametrize("viewer", [0, None])
def test_a_hidden_disposal_of_two_lowers_each_guarantee_by_at_most_two(viewer: int | None) -> None:
    told = seven_known()
    assert told.hand(1, viewer) == ({"can1": 2, "paper1": 5}, {"can1": 2, "paper1": 5})
    told.tell(CardsDisposed(1, {"can1": 2}))
    assert told.hand(1, viewer) == ({"paper1": 3}, {"can1": 2, "paper1": 5})
    assert told.illegal(1, viewer) == ({}, {"can1": 2, "paper1": 2})


@pytest.mark.parametrize("viewer", [0, None])
def test_the_joint_constraint_of_a_disposal_stays(viewer: int | None) -> None:
    told = seven_known().tell(CardsDisposed(1, {"can1": 2}), delivered(1, "paper", 4))
    assert told.illegal(1, viewer)[0] == {"can1": 1}
    told.tell(delivered(1, "paper", 1))
    assert told.illegal(1, viewer) == ({"can1": 2}, {"can1": 2})
    assert told.hand(1, viewer) == ({}, {})


def test_the_owner_knows_its_own_disposals_and_shows_them_to_nobody() -> None:
    told = seven_known().tell(CardsDisposed(1, {"can1": 2}))
    other = seven_known().tell(CardsDisposed(1, {"paper1": 2}))
    for viewer in (0, None):
        assert json.dumps(told.known(viewer)) == json.dumps(other.known(viewer))
    assert told.known(1)["illegal"][1] is None
    assert told.known(1)["draw_pile"] == other.known(1)["draw_pile"]


def test_an_initial_card_kept_until_the_pile_runs_out_becomes_guaranteed() -> None:
    start = deal("can1 can1 can1", "glass1 glass2 paper1", dumps="can1 can1 can1 can1", pile="paper1 paper2")
    told = Told(start)
    assert told.hand(1, viewer=0)[0] == {}
    told.tell(DumpRefilled("can", ("paper1", "paper2")))
    exactly = {"glass1": 1, "glass2": 1, "paper1": 1}
    assert told.hand(1, viewer=0) == (exactly, exactly)


def test_once_the_pile_has_run_out_the_joint_contents_of_the_other_zones_are_known() -> None:
    """Hand and illegal pile of the only other seat: each card not in the one is in the other."""
    start = deal("can1 can1 can1", "glass1 glass2 paper1", dumps="can1 can1 can1 can1", pile="paper1 paper2")
    told = Told(start, DumpRefilled("can", ("paper1", "paper2")), CardsDisposed(1, {"glass2": 1}))
    assert told.hand(1, viewer=0) == ({}, {"glass1": 1, "glass2": 1, "paper1": 1})
    told.tell(delivered(1, "glass", 1), delivered(1, "paper", 1))
    assert told.illegal(1, viewer=0) == ({"glass2": 1}, {"glass2": 1})
    assert told.hand(1, viewer=0) == ({}, {})


def test_after_a_reshuffle_the_new_draw_pile_is_exactly_the_former_discard_pile() -> None:
    start = deal("can1 can1 can2", "can1 can1 can1", dumps="can1 can1 can1 can1", pile="paper1")
    told = Told(start, CardsDelivered(0, "can", 2, 1, 0, {"can1": 1}), DumpRefilled("can", ("paper1",)))
    told.tell(PileReshuffled(("can1", "can2", "can1")))
    for viewer in (0, 1, None):
        pile = told.known(viewer)["draw_pile"]
        assert pile["guaranteed"] == pile["possible"] == {"can1": 2, "can2": 1}
    told.tell(DumpRefilled("can", ("can2",)))
    assert told.known(1)["draw_pile"]["guaranteed"] == {"can1": 2}


def test_the_order_of_the_draw_pile_changes_nothing_that_is_known() -> None:
    for start in (whole_deal(4, 3), whole_deal(2, 3)):
        turned = replace(start, pile=start.pile[::-1])
        for viewer in (None, 0, 1):
            assert Told(start).known(viewer) == Told(turned).known(viewer)


def test_with_all_three_doubles_of_a_material_visible_elsewhere_nobody_can_hold_one() -> None:
    """Two lie on dump sides and one in the viewer's own hand; the public still thinks one possible."""
    start = deal("can2 can1 can1", "can1 can1 can1", dumps="can2 can2 can1 paper1", pile="paper1 paper1 glass1")
    told = Told(start)
    assert "can2" not in told.hand(1, viewer=0)[1]
    assert "can2" not in told.known(0)["draw_pile"]["possible"]
    assert told.hand(1, viewer=None)[1]["can2"] == 1


def test_after_set_up_with_two_seats_a_seats_pool_has_81_cards_and_the_pile_78() -> None:
    told = Told(whole_deal(2, 5))
    assert told.state is not None
    assert told.state.pile_size == 78
    assert sum(told.known(0)["draw_pile"]["pool"].values()) == 81
    assert sum(told.known(None)["draw_pile"]["pool"].values()) == 84


def test_the_pool_leaves_out_what_is_guaranteed_in_other_hands_and_illegal_piles() -> None:
    told = seven_known()
    pool = told.known(0)["draw_pile"]["pool"]
    assert pool == {"can1": 1, "can2": 1, "glass1": 6, "plastic1": 2, "paper1": 1, "paper2": 1}
    told.tell(CardsDisposed(1, {"can1": 2}))
    assert told.known(0)["draw_pile"]["pool"] == pool | {"can1": 3, "paper1": 3}
    told.tell(delivered(1, "paper", 4))
    assert told.known(0)["draw_pile"]["pool"] == pool | {"can1": 2, "paper1": 2}


def test_knowledge_stays_what_play_had_proved_once_the_game_is_over() -> None:
    game = play(3, 4, check=False)
    told = Told(*game.facts[:-1])
    before = [told.known(viewer) for viewer in (None, 0, 1, 2)]
    told.tell(game.facts[-1])
    assert told.state == game.state
    assert [told.known(viewer) for viewer in (None, 0, 1, 2)] == before
    assert any(hand["guaranteed"] != hand["possible"] for hand in before[0]["hands"])


# Properties of random games


def truth(state: RoekoState) -> dict[str, Any]:
    left = state.pile[state.drawn :]
    return {
        "hands": [dict(zip(KINDS, hand, strict=True)) for hand in state.hands],
        "illegal": [dict(zip(KINDS, pile, strict=True)) for pile in state.illegal],
        "draw_pile": dict(zip(KINDS, (left.count(kind) for kind in range(8)), strict=True)),
    }


def zones_of(known: dict[str, Any]) -> list[tuple[str, int | None, dict[str, dict[str, int]]]]:
    seats = [(name, seat, zone) for name in ("hands", "illegal") for seat, zone in enumerate(known[name]) if zone]
    return [*seats, ("draw_pile", None, known["draw_pile"])]


@pytest.mark.parametrize("policy", [blindly, bot_policy("automa"), no_rush], ids=["random", "automa", "hoarding"])
@pytest.mark.parametrize("seats", SEATS)
def test_the_true_position_is_always_within_the_bounds(seats: int, policy: Policy) -> None:
    game = play(seats, 40 + seats, policy, check=False)
    told = Told(game.facts[0])
    for fact in game.facts[1:]:
        told.tell(fact)
        assert told.state is not None
        real = truth(told.state)
        for viewer in (None, *range(seats)):
            known = told.known(viewer)
            for name, seat, zone in zones_of(known):
                there = real[name] if seat is None else real[name][seat]
                size = sum(there.values())
                for kind in KINDS:
                    least, most = zone["guaranteed"].get(kind, 0), zone["possible"].get(kind, 0)
                    assert 0 <= least <= there[kind] <= most <= size
            pool, pile = known["draw_pile"]["pool"], known["draw_pile"]["possible"]
            assert all(count <= pool[kind] for kind, count in pile.items())


@pytest.mark.parametrize("seats", SEATS)
def test_with_more_seen_guarantees_never_fall_and_possibilities_never_rise_for_cards_that_did_not_move(
    seats: int,
) -> None:
    game = play(seats, 60 + seats, check=False)
    told = Told(game.facts[0])
    for fact in game.facts[1:]:
        before = [told.known(viewer) for viewer in (None, *range(seats))]
        told.tell(fact)
        moved = {getattr(fact, "seat", None)} if isinstance(fact, (CardsDelivered, CardsDisposed)) else {None}
        for viewer, was in zip((None, *range(seats)), before, strict=True):
            for name, seat, zone in zones_of(told.known(viewer)):
                if seat in moved:
                    continue
                old = was[name] if seat is None else was[name][seat]
                assert all(zone["guaranteed"].get(kind, 0) >= n for kind, n in old["guaranteed"].items())
                assert all(n <= old["possible"].get(kind, 0) for kind, n in zone["possible"].items())


def listed_and_compared(game: Any, viewer: int | None, most: int) -> int:
    """Compare after every fact until there are too many worlds; the number of positions compared."""
    told, compared = Told(game.facts[0]), 0
    try:
        worlds = Worlds(game.facts[0], viewer, most)
        for fact in game.facts[1:]:
            told.tell(fact)
            worlds.see(fact)
            known = told.known(viewer)
            assert {**known, "draw_pile": {**known["draw_pile"], "pool": None}} == {
                **(bounds := worlds.bounds()),
                "draw_pile": {**bounds["draw_pile"], "pool": None},
            }, f"seats {len(game.state.hands)}, viewer {viewer}, after {fact}"
            compared += 1
    except TooManyWorlds:
        pass
    return compared


def test_knowledge_equals_all_worlds_listed_in_whole_games_of_88_cards() -> None:
    """Reproduce one game with `play(2, seed, policy)`; the seat that sees its own cards lists them to the end."""
    compared = 0
    for seed in range(4):
        for policy in (blindly, bot_policy("automa")):
            game = play(2, seed, policy, check=False)
            for viewer in (0, 1):
                compared += listed_and_compared(game, viewer, most=2000)
    print(f"{compared} positions compared")
    assert compared > 800


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seats", [2, 3])
def test_knowledge_equals_all_worlds_listed_as_far_as_they_can_be(seats: int) -> None:
    compared = 0
    for seed in range(100, 102):
        for policy in (blindly, bot_policy("automa"), no_rush):
            game = play(seats, seed, policy, check=False)
            for viewer in (None, *range(seats)):
                compared += listed_and_compared(game, viewer, most=15_000)
    print(f"{seats} seats: {compared} positions compared")
    assert compared > 0


@pytest.mark.parametrize("seats", SEATS)
def test_games_equal_in_all_that_a_viewer_sees_give_it_equal_views_and_knowledge(seats: int) -> None:
    """Twins: a hidden initial card is swapped with one deep in the pile, and the same play follows."""
    rng, twins = Random(seats), 0
    for seed in range(60):
        facts = play(seats, seed, check=False).facts[:36]
        viewer = rng.randrange(seats)
        other = twin_of(facts, viewer, rng)
        if other is None:
            continue
        twins += 1
        if twins > 5:
            return
        told, twin = Told(facts[0]), Told(other[0])
        for mine, its in zip([None, *facts[1:]], [None, *other[1:]], strict=True):
            if mine is not None:
                told.tell(mine)
                twin.tell(its)
            for looking in (viewer, None):
                assert told.state is not None
                assert twin.state is not None
                assert json.dumps(told.known(looking)) == json.dumps(twin.known(looking))
                assert json.dumps(told.rules.view(told.state, looking)) == json.dumps(
                    twin.rules.view(twin.state, looking)
                )
    pytest.fail(f"only {twins} twins were found")


def twin_of(facts: list[Any], viewer: int, rng: Random) -> list[Any] | None:
    """The same public play from a deal with one card of another hand swapped with one that stays in the pile."""
    start, rules = facts[0], rules_for(len(facts[0].hands))
    if any(isinstance(fact, PileReshuffled) for fact in facts):
        return None
    deep = len(start.pile) - 1
    swaps = [(seat, at) for seat in range(len(start.hands)) if seat != viewer for at in range(3)]
    rng.shuffle(swaps)
    for seat, at in swaps:
        if start.hands[seat][at] == start.pile[deep]:
            continue
        hands = [list(hand) for hand in start.hands]
        pile = list(start.pile)
        hands[seat][at], pile[deep] = pile[deep], hands[seat][at]
        twin = [replace(start, hands=tuple(map(tuple, hands)), pile=tuple(pile)), *facts[1:]]
        if stands(rules, twin):
            return twin
    return None


def stands(rules: Any, facts: list[Any]) -> bool:
    """Whether nobody ever delivers or disposes of a card that it has not."""
    state = None
    for fact in facts:
        if isinstance(fact, CardsDelivered):
            state = rules.evolve(state, replace(fact, collected={}))
            if min(map(min, state.hands)) < 0:
                return False
            fact = replace(fact, singles=0, doubles=0, reward=None)
        state = rules.evolve(state, fact)
        if any(count < 0 for zone in (*state.hands, *state.illegal) for count in zone):
            return False
    return True
