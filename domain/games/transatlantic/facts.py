"""What can happen in a game of Transatlantic. Every consequence of an action is in its facts.

`then` is the stack of decisions that wait after the fact, the next one last, as rows of `Pending`.
Which of it a viewer may see is `view.fact_view`'s to say.
"""

from __future__ import annotations

from typing import get_args

from domain.game import fact

Row = tuple[str | int, ...]
Rows = tuple[Row, ...]


@fact("transatlantic.GameSetUp")
class GameSetUp:
    """Sailing ships by seat; `market`, `display` from the left; `deck`, `pile` (secret) next first; `out` is secret.

    `pile_a`: how many cards of set A are on top of the pile. `turned`: the cards laid out, in order: those of a kind
    already on display went to the `discard`.
    """

    start_seat: int
    sailing: tuple[str, ...]
    market: tuple[str, ...]
    deck: tuple[str, ...]
    out: tuple[str, ...]
    display: tuple[str, ...]
    pile: tuple[str, ...]
    pile_a: int
    discard: tuple[str, ...]
    turned: tuple[str, ...]
    then: Rows


@fact("transatlantic.CardPlayed")
class CardPlayed:
    """A hand card goes onto the stack; `money` and `points` are what it brings at once (trade, fleet)."""

    seat: int
    card: str
    money: int
    points: int
    then: Rows


@fact("transatlantic.CardsTakenBack")
class CardsTakenBack:
    """Director or president: the stack comes back to the hand; `cards` of them, this one included."""

    seat: int
    card: str
    cards: int
    then: Rows


@fact("transatlantic.CardTaken")
class CardTaken:
    """A display card is chosen and played onto the stack."""

    seat: int
    card: str
    money: int
    points: int
    then: Rows


@fact("transatlantic.TileSpent")
class TileSpent:
    """The director tile is spent to carry out a display card, which stays where it is."""

    seat: int
    card: str
    money: int
    points: int
    then: Rows


@fact("transatlantic.CardCopied")
class CardCopied:
    """The agent carries out the top card of the stack of seat `owner`."""

    seat: int
    owner: int
    card: str
    money: int
    points: int
    then: Rows


@fact("transatlantic.ShipBought")
class ShipBought:
    """A steamship leaves the market and waits with its buyer, `coal` aboard."""

    seat: int
    slot: int
    ship: str
    paid: int
    coal: int
    then: Rows


@fact("transatlantic.HeadquartersBought")
class HeadquartersBought:
    seat: int
    slot: int
    ship: str
    paid: int
    then: Rows


@fact("transatlantic.ShipDeployed")
class ShipDeployed:
    """A ship enters a region at `place` from the top (0). `displaced`: the bottom ship that had to leave."""

    seat: int
    ship: str
    region: str
    place: int
    displaced: str | None
    riband: bool
    contracts: int
    then: Rows


@fact("transatlantic.ShipScrapped")
class ShipScrapped:
    """A displaced ship that can enter nowhere leaves the game after its last trip. `seat` None: the neutral ship."""

    seat: int | None
    ship: str
    money: int
    points: int
    then: Rows


@fact("transatlantic.ShipTravelled")
class ShipTravelled:
    seat: int
    ship: str
    money: int
    points: int
    then: Rows


@fact("transatlantic.RegionTravelled")
class RegionTravelled:
    """All ships of a region that could travel did. `money` and `points` by seat; `bonus` is in the seat's money."""

    seat: int
    region: str
    ships: tuple[str, ...]
    money: tuple[int, ...]
    points: tuple[int, ...]
    bonus: int
    then: Rows


@fact("transatlantic.ModeChosen")
class ModeChosen:
    seat: int
    mode: str
    then: Rows


@fact("transatlantic.CoalLoaded")
class CoalLoaded:
    seat: int
    ship: str
    then: Rows


@fact("transatlantic.MarkerTaken")
class MarkerTaken:
    """`paid` in pounds, `contracts` given for it."""

    seat: int
    kind: str
    paid: int
    contracts: int
    then: Rows


@fact("transatlantic.HouseBuilt")
class HouseBuilt:
    seat: int
    region: str
    paid: int
    then: Rows


@fact("transatlantic.ContractsSold")
class ContractsSold:
    seat: int
    contracts: int
    money: int
    then: Rows


@fact("transatlantic.ChoiceDeclined")
class ChoiceDeclined:
    """A seat does no more of what it may."""

    seat: int
    then: Rows


@fact("transatlantic.TurnEnded")
class TurnEnded:
    """Scrapped ships are scored, market and display renewed, the next turn begins.

    Args:
        scored: ship, its owner, points, in the order they were scrapped.
        market: the slots afterwards, from the left, if they changed; `drawn` ships came from the deck.
        docked: the ship that went to the docks.
        display, discard: afterwards, if they changed; `turned`: the cards that came
            from the pile, in order.
        pile: what is left of a newly shuffled pile (secret), if it was.
        round: of the next turn; `quiet`: full rounds without a purchase before it.
        final_round, reason: once the end has come in sight.
        then: empty when the game is over.
    """

    seat: int
    scored: tuple[tuple[str, int, int], ...]
    docked: str | None
    market: tuple[str, ...] | None
    drawn: int
    display: tuple[str, ...] | None
    discard: tuple[str, ...] | None
    turned: tuple[str, ...]
    pile: tuple[str, ...] | None
    round: int
    quiet: int
    final_round: int | None
    reason: str | None
    then: Rows


GameFact = (
    GameSetUp
    | CardPlayed
    | CardsTakenBack
    | CardTaken
    | TileSpent
    | CardCopied
    | ShipBought
    | HeadquartersBought
    | ShipDeployed
    | ShipScrapped
    | ShipTravelled
    | RegionTravelled
    | ModeChosen
    | CoalLoaded
    | MarkerTaken
    | HouseBuilt
    | ContractsSold
    | ChoiceDeclined
    | TurnEnded
)

FACTS: tuple[type, ...] = get_args(GameFact)
