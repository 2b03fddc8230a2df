"""What a table's rules are bound to: its edition, seats and variants. Nothing of a running game."""

from __future__ import annotations

from dataclasses import dataclass

from domain.game import Config
from domain.games.transatlantic.edition import Edition, Ship, parse
from domain.games.transatlantic.facts import Rows
from domain.games.transatlantic.state import Afloat, GameState, Pending, Stack, rows
from domain.games.transatlantic.terms import (
    DIRECTOR,
    NORTH_ATLANTIC,
    PRESIDENT,
    REGIONS,
    SHIP_PLACES,
    START_CARDS,
    STEAMSHIP,
)


@dataclass(frozen=True, slots=True)
class Setting:
    """A table's edition and variants, with what follows from them.

    Args:
        market, president: whether the variant is played.
        regions: the regions in play, by number.
        places: ship places of each.
        house_prices: of each, cheapest first.
        steamships: keys of all steamships.
    """

    edition: Edition
    seats: int
    market: bool
    president: bool
    regions: tuple[str, ...]
    places: tuple[int, ...]
    house_prices: tuple[tuple[int, ...], ...]
    steamships: frozenset[str]

    @classmethod
    def of(cls, config: Config) -> Setting:
        """The setting of a table.

        Raises:
            EditionError: if the table's data files are no edition.
        """
        edition = parse(config.data)
        regions = REGIONS[: config.seats + 1]
        return cls(
            edition=edition,
            seats=config.seats,
            market=bool(config.options.get("market", False)),
            president=bool(config.options.get("president", False)),
            regions=regions,
            places=tuple(SHIP_PLACES[name] for name in regions),
            house_prices=tuple(
                edition.house_prices if name == NORTH_ATLANTIC else edition.house_prices_default for name in regions
            ),
            steamships=frozenset(ship.key for ship in edition.of_kind(STEAMSHIP)),
        )

    @property
    def start_cards(self) -> tuple[str, ...]:
        return tuple(PRESIDENT if card == DIRECTOR and self.president else card for card in START_CARDS)

    def ship(self, key: str) -> Ship:
        return self.edition.ships[key]

    def can_travel(self, afloat: Afloat) -> bool:
        """Travelling: a steamship needs coal; sailing ships need none, the neutral ship is always coaled."""
        return afloat.coal > 0 or afloat.ship not in self.steamships


def own_steamships(setting: Setting, state: GameState, seat: int) -> list[Afloat]:
    """A seat's steamships in the regions, region by region from the top."""
    return [
        afloat
        for region in state.regions
        for afloat in region.ships
        if afloat.owner == seat and afloat.ship in setting.steamships
    ]


def houses_of(houses: tuple[int, ...], seat: int) -> int:
    return houses.count(seat)


def queued(*steps: Pending) -> Stack:
    """Steps in the order in which they are to be carried out, as the top of a stack."""
    return steps[::-1]


def instead(state: GameState, *steps: Pending) -> Rows:
    """The stack after the running decision: replaced by the steps that follow from it, first things first."""
    return rows(state.pending[:-1] + queued(*steps))
