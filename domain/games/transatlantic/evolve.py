"""Writing facts down: the state after each fact. No rule and no chance lives here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from domain.games.transatlantic import facts
from domain.games.transatlantic.edition import Edition
from domain.games.transatlantic.state import Afloat, Displaced, GameState, Region, Seat, stack_of
from domain.games.transatlantic.terms import CARD_ORDER, KINDS, NEUTRAL, REGIONS


def start(fact: facts.GameSetUp, edition: Edition, start_cards: tuple[str, ...]) -> GameState:
    """The state after set-up. What every seat and the supply begin with are the edition's figures."""
    count = len(fact.sailing)
    neutral = edition.of_kind(NEUTRAL)[0].key
    seat = Seat(
        money=edition.start_money,
        points=0,
        hand=_sorted(start_cards),
        stack=(),
        waiting=(),
        headquarters=(),
        captains=edition.captains - 1,
        houses=edition.houses,
        tile=True,
        markers=(0,) * len(KINDS),
        contracts=0,
    )
    afloat = (Afloat(neutral, None, 0), *(Afloat(ship, owner, 0) for owner, ship in enumerate(fact.sailing)))
    then = stack_of(fact.then)
    return GameState(
        seats=(seat,) * count,
        regions=tuple(Region((ship,), ()) for ship in afloat),
        market=fact.market,
        deck=fact.deck,
        out=fact.out,
        docks=(),
        scrapped=(),
        unscored=(),
        display=fact.display,
        pile=fact.pile,
        pile_a=fact.pile_a,
        discard=fact.discard,
        supply=edition.supply,
        start_seat=fact.start_seat,
        round=0,
        turn_number=1,
        turn_seat=then[-1].seat,
        purchased=False,
        quiet=0,
        final_round=None,
        reason=None,
        bought=(),
        bought_headquarters=False,
        took_card=False,
        displaced=None,
        pending=then,
    )


def _sorted(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=CARD_ORDER.__getitem__))


def without(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    """The items less one of them."""
    place = items.index(item)
    return items[:place] + items[place + 1 :]


def _set_seat(state: GameState, number: int, **changes: Any) -> tuple[Seat, ...]:
    seats = list(state.seats)
    seats[number] = replace(seats[number], **changes)
    return tuple(seats)


def _paid_out(state: GameState, seat: int, fact: Any, **changes: Any) -> tuple[Seat, ...]:
    own = state.seats[seat]
    return _set_seat(state, seat, money=own.money + fact.money, points=own.points + fact.points, **changes)


def _card_played(state: GameState, fact: facts.CardPlayed) -> GameState:
    own = state.seats[fact.seat]
    seats = _paid_out(state, fact.seat, fact, hand=without(own.hand, fact.card), stack=(*own.stack, fact.card))
    return replace(state, seats=seats, pending=stack_of(fact.then))


def _cards_taken_back(state: GameState, fact: facts.CardsTakenBack) -> GameState:
    own = state.seats[fact.seat]
    seats = _set_seat(state, fact.seat, hand=_sorted(own.hand + own.stack), stack=())
    return replace(state, seats=seats, pending=stack_of(fact.then))


def _card_taken(state: GameState, fact: facts.CardTaken) -> GameState:
    seats = _paid_out(state, fact.seat, fact, stack=(*state.seats[fact.seat].stack, fact.card))
    display = without(state.display, fact.card)
    return replace(state, seats=seats, display=display, took_card=True, pending=stack_of(fact.then))


def _tile_spent(state: GameState, fact: facts.TileSpent) -> GameState:
    return replace(state, seats=_paid_out(state, fact.seat, fact, tile=False), pending=stack_of(fact.then))


def _card_copied(state: GameState, fact: facts.CardCopied) -> GameState:
    return replace(state, seats=_paid_out(state, fact.seat, fact), pending=stack_of(fact.then))


def _ship_bought(state: GameState, fact: facts.ShipBought) -> GameState:
    own = state.seats[fact.seat]
    seats = _set_seat(
        state,
        fact.seat,
        money=own.money - fact.paid,
        captains=own.captains - 1,
        waiting=(*own.waiting, Afloat(fact.ship, fact.seat, fact.coal)),
    )
    return replace(
        state,
        seats=seats,
        market=_emptied(state, fact.slot),
        bought=(*state.bought, fact.ship),
        purchased=True,
        pending=stack_of(fact.then),
    )


def _headquarters_bought(state: GameState, fact: facts.HeadquartersBought) -> GameState:
    own = state.seats[fact.seat]
    seats = _set_seat(
        state,
        fact.seat,
        money=own.money - fact.paid,
        captains=own.captains - 1,
        headquarters=(*own.headquarters, fact.ship),
    )
    return replace(
        state,
        seats=seats,
        market=_emptied(state, fact.slot),
        bought_headquarters=True,
        purchased=True,
        pending=stack_of(fact.then),
    )


def _emptied(state: GameState, slot: int) -> tuple[str | None, ...]:
    return (*state.market[:slot], None, *state.market[slot + 1 :])


def _ship_deployed(state: GameState, fact: facts.ShipDeployed) -> GameState:
    own = state.seats[fact.seat]
    if state.displaced is not None:
        coal, waiting = state.displaced.coal, own.waiting
    else:
        coal = next(ship.coal for ship in own.waiting if ship.ship == fact.ship)
        waiting = tuple(ship for ship in own.waiting if ship.ship != fact.ship)
    number = REGIONS.index(fact.region)
    region = state.regions[number]
    ships = [*region.ships[: fact.place], Afloat(fact.ship, fact.seat, coal), *region.ships[fact.place :]]
    displaced = None
    if fact.displaced is not None:
        gone = ships.pop()
        displaced = Displaced(gone.ship, gone.owner, gone.coal, number)
    markers, supply = _with_marker(state, fact.seat, 0, int(fact.riband))
    seats = _set_seat(state, fact.seat, waiting=waiting, markers=markers, contracts=own.contracts + fact.contracts)
    return replace(
        state,
        seats=seats,
        regions=_set_region(state, number, Region(tuple(ships), region.houses)),
        supply=supply,
        displaced=displaced,
        pending=stack_of(fact.then),
    )


def _with_marker(state: GameState, seat: int, kind: int, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A seat's markers and the supply after so many of a kind have changed hands."""
    markers, supply = list(state.seats[seat].markers), list(state.supply)
    markers[kind] += count
    supply[kind] -= count
    return tuple(markers), tuple(supply)


def _set_region(state: GameState, number: int, region: Region) -> tuple[Region, ...]:
    return (*state.regions[:number], region, *state.regions[number + 1 :])


def _ship_scrapped(state: GameState, fact: facts.ShipScrapped) -> GameState:
    seats, unscored = state.seats, state.unscored
    if fact.seat is not None:
        seats = _paid_out(state, fact.seat, fact, captains=state.seats[fact.seat].captains + 1)
        unscored = (*unscored, (fact.ship, fact.seat))
    return replace(
        state,
        seats=seats,
        scrapped=(*state.scrapped, fact.ship),
        unscored=unscored,
        displaced=None,
        pending=stack_of(fact.then),
    )


def _burnt(region: Region, travelled: tuple[str, ...]) -> Region:
    ships = tuple(
        Afloat(ship.ship, ship.owner, max(0, ship.coal - 1)) if ship.ship in travelled else ship
        for ship in region.ships
    )
    return Region(ships, region.houses)


def _ship_travelled(state: GameState, fact: facts.ShipTravelled) -> GameState:
    number = next(n for n, region in enumerate(state.regions) if any(ship.ship == fact.ship for ship in region.ships))
    return replace(
        state,
        seats=_paid_out(state, fact.seat, fact),
        regions=_set_region(state, number, _burnt(state.regions[number], (fact.ship,))),
        pending=stack_of(fact.then),
    )


def _region_travelled(state: GameState, fact: facts.RegionTravelled) -> GameState:
    number = REGIONS.index(fact.region)
    seats = tuple(
        replace(seat, money=seat.money + money, points=seat.points + points)
        for seat, money, points in zip(state.seats, fact.money, fact.points, strict=True)
    )
    regions = _set_region(state, number, _burnt(state.regions[number], fact.ships))
    return replace(state, seats=seats, regions=regions, pending=stack_of(fact.then))


def _coal_loaded(state: GameState, fact: facts.CoalLoaded) -> GameState:
    def loaded(ships: tuple[Afloat, ...]) -> tuple[Afloat, ...]:
        return tuple(Afloat(ship.ship, ship.owner, ship.coal + 1) if ship.ship == fact.ship else ship for ship in ships)

    pending = stack_of(fact.then)
    waiting = state.seats[fact.seat].waiting
    if any(ship.ship == fact.ship for ship in waiting):
        return replace(state, seats=_set_seat(state, fact.seat, waiting=loaded(waiting)), pending=pending)
    regions = tuple(
        Region(loaded(region.ships), region.houses) if any(ship.ship == fact.ship for ship in region.ships) else region
        for region in state.regions
    )
    return replace(state, regions=regions, pending=pending)


def _marker_taken(state: GameState, fact: facts.MarkerTaken) -> GameState:
    own = state.seats[fact.seat]
    markers, supply = _with_marker(state, fact.seat, KINDS.index(fact.kind), 1)
    seats = _set_seat(
        state,
        fact.seat,
        money=own.money - fact.paid,
        contracts=own.contracts - fact.contracts,
        markers=markers,
    )
    return replace(state, seats=seats, supply=supply, pending=stack_of(fact.then))


def _house_built(state: GameState, fact: facts.HouseBuilt) -> GameState:
    own = state.seats[fact.seat]
    number = REGIONS.index(fact.region)
    region = state.regions[number]
    return replace(
        state,
        seats=_set_seat(state, fact.seat, money=own.money - fact.paid, houses=own.houses - 1),
        regions=_set_region(state, number, Region(region.ships, (*region.houses, fact.seat))),
        pending=stack_of(fact.then),
    )


def _contracts_sold(state: GameState, fact: facts.ContractsSold) -> GameState:
    own = state.seats[fact.seat]
    seats = _set_seat(state, fact.seat, money=own.money + fact.money, contracts=own.contracts - fact.contracts)
    return replace(state, seats=seats, pending=stack_of(fact.then))


def _decided(state: GameState, fact: facts.ModeChosen | facts.ChoiceDeclined) -> GameState:
    return replace(state, pending=stack_of(fact.then))


def _turn_ended(state: GameState, fact: facts.TurnEnded) -> GameState:
    seats = list(state.seats)
    for _, owner, points in fact.scored:
        seats[owner] = replace(seats[owner], points=seats[owner].points + points)
    pending = stack_of(fact.then)
    if fact.pile is None:
        pile, pile_a = state.pile[len(fact.turned) :], max(0, state.pile_a - len(fact.turned))
    else:
        pile, pile_a = fact.pile, 0
    return replace(
        state,
        seats=tuple(seats),
        market=state.market if fact.market is None else _six(fact.market),
        deck=state.deck[fact.drawn :],
        docks=state.docks if fact.docked is None else (*state.docks, fact.docked),
        unscored=(),
        display=state.display if fact.display is None else fact.display,
        pile=pile,
        pile_a=pile_a,
        discard=state.discard if fact.discard is None else fact.discard,
        round=fact.round,
        turn_number=state.turn_number + 1 if pending else state.turn_number,
        turn_seat=pending[-1].seat if pending else state.turn_seat,
        purchased=state.purchased and fact.round == state.round,
        quiet=fact.quiet,
        final_round=fact.final_round,
        reason=fact.reason,
        bought=(),
        bought_headquarters=False,
        took_card=False,
        pending=pending,
    )


def _six(ships: tuple[str, ...]) -> tuple[str | None, ...]:
    return (*ships, *(None,) * (6 - len(ships)))


_HANDLERS: dict[type, Callable[[GameState, Any], GameState]] = {
    facts.CardPlayed: _card_played,
    facts.CardsTakenBack: _cards_taken_back,
    facts.CardTaken: _card_taken,
    facts.TileSpent: _tile_spent,
    facts.CardCopied: _card_copied,
    facts.ShipBought: _ship_bought,
    facts.HeadquartersBought: _headquarters_bought,
    facts.ShipDeployed: _ship_deployed,
    facts.ShipScrapped: _ship_scrapped,
    facts.ShipTravelled: _ship_travelled,
    facts.RegionTravelled: _region_travelled,
    facts.ModeChosen: _decided,
    facts.CoalLoaded: _coal_loaded,
    facts.MarkerTaken: _marker_taken,
    facts.HouseBuilt: _house_built,
    facts.ContractsSold: _contracts_sold,
    facts.ChoiceDeclined: _decided,
    facts.TurnEnded: _turn_ended,
}


def evolve(state: GameState, fact: Any) -> GameState:
    """The state after a fact that is not the first."""
    return _HANDLERS[type(fact)](state, fact)
