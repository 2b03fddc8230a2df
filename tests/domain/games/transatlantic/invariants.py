"""What holds after every fact of every game of Transatlantic, checked on the state itself."""

from __future__ import annotations

from collections import Counter

from domain.games.transatlantic.rules import TransatlanticRules
from domain.games.transatlantic.state import GameState
from domain.games.transatlantic.terms import HOUSES_A_REGION, SAILING, STEAMSHIP


def check(rules: TransatlanticRules, state: GameState) -> None:
    """Raises AssertionError if one is broken."""
    ships_lie_in_one_zone_each(rules, state)
    regions_are_ordered_within_capacity(rules, state)
    seats_hold_what_is_theirs(rules, state)
    cards_are_conserved(rules, state)


def ships_lie_in_one_zone_each(rules: TransatlanticRules, state: GameState) -> None:
    edition = rules.setting.edition
    zones = [key for key in state.market if key] + [*state.deck, *state.out, *state.docks, *state.scrapped]
    zones += [afloat.ship for region in state.regions for afloat in region.ships]
    for seat in state.seats:
        zones += [afloat.ship for afloat in seat.waiting] + list(seat.headquarters)
    if state.displaced is not None:
        zones.append(state.displaced.ship)
    assert len(zones) == len(set(zones)), "a ship is in two places"
    missing = set(edition.ships) - set(zones)
    sailing = {ship.key for ship in edition.of_kind(SAILING)}
    assert missing <= sailing
    assert len(missing) == len(sailing) - len(state.seats), "sailing ships that nobody drew"


def regions_are_ordered_within_capacity(rules: TransatlanticRules, state: GameState) -> None:
    setting = rules.setting
    for region, places, prices in zip(state.regions, setting.places, setting.house_prices, strict=True):
        years = [setting.ship(afloat.ship).year for afloat in region.ships]
        assert years == sorted(years, reverse=True), "the youngest ship is not on top"
        assert len(years) <= places
        assert len(region.houses) <= len(prices)
        assert all(count <= HOUSES_A_REGION for count in Counter(region.houses).values())
        for afloat in region.ships:
            assert 0 <= afloat.coal <= 3
            assert afloat.coal == 0 or setting.ship(afloat.ship).kind == STEAMSHIP


def seats_hold_what_is_theirs(rules: TransatlanticRules, state: GameState) -> None:
    edition = rules.setting.edition
    afloat = [ship for region in state.regions for ship in region.ships]
    for number, seat in enumerate(state.seats):
        assert seat.money >= 0
        assert seat.contracts >= 0
        assert rules.setting.president or seat.contracts == 0
        manned = sum(ship.owner == number for ship in afloat) + len(seat.waiting) + len(seat.headquarters)
        manned += state.displaced is not None and state.displaced.owner == number
        assert seat.captains + manned == edition.captains, "captains are lost"
        built = sum(region.houses.count(number) for region in state.regions)
        assert seat.houses + built == edition.houses, "houses are lost"
        assert all(0 <= ship.coal <= 3 for ship in seat.waiting)
        assert all(count >= 0 for count in seat.markers)
    for kind, supply in enumerate(state.supply):
        assert supply >= 0
        assert supply + sum(seat.markers[kind] for seat in state.seats) == edition.supply[kind]


def cards_are_conserved(rules: TransatlanticRules, state: GameState) -> None:
    """Every seat's hand and stack are its start cards and those it took; the extension deck's cards are all there."""
    start = Counter(rules.setting.start_cards)
    extension = Counter(card for cards in rules.setting.edition.extension_sets for card in cards)
    found = Counter([*state.display, *state.pile, *state.discard])
    for seat in state.seats:
        owned = Counter(seat.hand + seat.stack)
        assert not start - owned, "a start card is lost"
        found += owned - start
    assert found == extension
    assert len(set(state.display)) == len(state.display) <= 5
    assert 0 <= state.pile_a <= len(state.pile)


def somebody_is_to_act(rules: TransatlanticRules, state: GameState) -> None:
    """After every decision: one seat has real choices, unless the game is over."""
    if rules.is_over(state):
        assert rules.to_act(state) == ()
        return
    (seat,) = rules.to_act(state)
    if state.pending[-1].what != "displaced":
        assert state.displaced is None
    actions = rules.legal_actions(state, seat)
    assert actions
    assert len({str(sorted(action.items(), key=str)) for action in actions}) == len(actions)
    assert {action["type"] for action in actions} != {"done"}
    for other in range(len(state.seats)):
        if other != seat:
            assert not rules.legal_actions(state, other)
