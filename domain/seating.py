"""What may happen at the desk before a game runs: opening, joining, leaving, starting. Decides, appends nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from domain import refusals
from domain.chance import Chance, commitment, game_seed
from domain.desk import Desk, Opened, Seat, SeatFilled, SeatLeft, SeatTaken, Started, recorded_files
from domain.game import Config, Game, InvalidOptions, Rules
from domain.record import Draft
from domain.table import Table


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody who opens a table asks for; `seats` as in `Opened`, contributions included."""

    game: Game
    seats: tuple[Mapping[str, Any], ...]
    options: Mapping[str, Any]
    private: bool
    casual: bool
    start_seat: int | None
    start: str


def open_table(
    wish: Wish,
    *,
    table: UUID,
    owner: str,
    server_seed: bytes,
    rules: int | None = None,
    data: Mapping[str, str] | None = None,
) -> list[Draft]:
    """The first events of a table; with the start if it is `auto` and no seat is open.

    Args:
        owner: player id of the one who opens it.
        server_seed: 32 bytes fresh from the operating system.
        rules, data: version of the rules and contents of the data files; None: today's.

    Raises:
        InvalidRequest: for a number of seats, a bot, an option or a start seat that the game does not offer.
    """
    game, count = wish.game, len(wish.seats)
    errors = _wish_errors(wish)
    try:
        options = game.complete(wish.options, count)
        data = game.data(options) if data is None else data
    except InvalidOptions as refusal:
        errors["options"] = {name: [text] for name, text in refusal.errors.items()}
    if errors:
        raise refusals.InvalidRequest("the table can't be opened like this", errors)
    assert data is not None
    version = game.current_rules if rules is None else rules
    opened = Opened(
        game=game.key,
        rules=version,
        options=options,
        seats=tuple(dict(seat) for seat in wish.seats),
        owner=owner,
        start=wish.start,
        start_seat=wish.start_seat,
        private=wish.private,
        casual=wish.casual,
        commitment=commitment(server_seed),
        data=recorded_files(data),
    )
    drafts = [Draft(opened, action={"type": "open"})]
    if wish.start == "auto" and all(seat["kind"] != "open" for seat in wish.seats):
        bound = game.rules[version](Config(seats=count, options=options, data=data))
        contributions = [seat.get("entropy", "") for seat in wish.seats]
        chance = Chance(game_seed(server_seed, table, contributions))
        drafts += beginning(bound, chance, contributions, wish.start_seat)
    return drafts


def _wish_errors(wish: Wish) -> dict[str, Any]:
    game, count, errors = wish.game, len(wish.seats), dict[str, Any]()
    if count not in game.seats:
        errors["seats"] = [f"{game.key} is played with {', '.join(map(str, game.seats))} seats, not {count}"]
    if sum(seat["kind"] == "human" for seat in wish.seats) > 1:
        errors["seats"] = ["one player has one seat at a table"]
    unknown = sorted({seat["bot"] for seat in wish.seats if seat["kind"] == "bot"} - set(game.bots))
    if unknown:
        errors["seats"] = [f"no such bot: {', '.join(unknown)}; there are {', '.join(sorted(game.bots))}"]
    if wish.start_seat is not None and not 0 <= wish.start_seat < count:
        errors["start_seat"] = [f"must be null or a seat from 0 to {count - 1}"]
    return errors


def join(table: Table, player: str, seat: int | None, entropy: str, server_seed: bytes) -> list[Draft]:
    """A player takes an open seat (None: the first one), with a contribution; the game starts if that completes it.

    Raises:
        TableNotRunning: if it is not open any more.
        SeatTaken: if the seat, or every seat, is taken, or the player has one.
        InvalidRequest: if there is no such seat.
    """
    desk = _waiting(table)
    if desk.seat_of(player) is not None:
        raise refusals.SeatTaken("you have a seat at this table already")
    if seat is not None and not 0 <= seat < len(desk.seats):
        raise refusals.InvalidRequest("no such seat", {"seat": [f"must be from 0 to {len(desk.seats) - 1}"]})
    free = desk.open_seats
    if not free or (seat is not None and seat not in free):
        raise refusals.SeatTaken("every seat is taken" if seat is None else f"seat {seat} is taken")
    taken = free[0] if seat is None else seat
    drafts = [Draft(SeatTaken(seat=taken, player=player, entropy=entropy), seat=taken, action={"type": "join"})]
    if desk.start == "auto" and free == (taken,):
        contributions = [entropy if n == taken else old.entropy for n, old in enumerate(desk.seats)]
        drafts += _start(table, desk, contributions, server_seed)
    return drafts


def leave(table: Table, player: str) -> list[Draft]:
    """A player gives a seat back before the start.

    Raises:
        TableNotRunning, Forbidden: without a seat here.
    """
    desk = _waiting(table)
    seat = desk.seat_of(player)
    if seat is None:
        raise refusals.Forbidden("you have no seat at this table")
    return [Draft(SeatLeft(seat=seat, player=player), seat=seat, action={"type": "leave"})]


def start(table: Table, player: str, fill_with: str | None, entropy: str | None, server_seed: bytes) -> list[Draft]:
    """The owner starts the game, open seats filled with a bot.

    Args:
        fill_with: the bot's name; None if no seat may be left open.
        entropy: replaces the owner's own contribution, if the owner has a seat.

    Raises:
        TableNotRunning, Forbidden, InvalidRequest.
    """
    desk = _waiting(table)
    if player != desk.owner:
        raise refusals.Forbidden("only the one who opened the table starts it")
    bots = table.games[desk.game].bots
    if fill_with is not None and fill_with not in bots:
        known = ", ".join(sorted(bots))
        raise refusals.InvalidRequest("no such bot", {"fill_with": [f"must be null or one of {known}"]})
    if desk.open_seats and fill_with is None:
        wanted = "name a bot for the open seats, or wait until they are taken"
        raise refusals.InvalidRequest("seats are open", {"fill_with": [wanted]})
    contributions = [_contribution(seat, player, entropy) for seat in desk.seats]
    drafts = [Draft(SeatFilled(seat=seat, bot=fill_with or ""), seat=seat) for seat in desk.open_seats]
    drafts += _start(table, desk, contributions, server_seed)
    return [Draft(drafts[0].fact, drafts[0].seat, action={"type": "start"}), *drafts[1:]]


def _contribution(seat: Seat, player: str, entropy: str | None) -> str:
    return entropy if entropy is not None and seat.player == player else seat.entropy


def _waiting(table: Table) -> Desk:
    if table.desk is None:
        raise refusals.NotFound("no such table")
    if table.desk.started or table.desk.abandoned is not None:
        raise refusals.TableNotRunning(f"the table is {table.status}, its seats are fixed")
    return table.desk


def _start(table: Table, desk: Desk, contributions: Sequence[str], server_seed: bytes) -> list[Draft]:
    assert table.rules is not None
    chance = Chance(game_seed(server_seed, table.id, contributions))
    return beginning(table.rules, chance, contributions, desk.start_seat)


def beginning(rules: Rules[Any], chance: Chance, contributions: Sequence[str], start_seat: int | None) -> list[Draft]:
    """The start of a game whose seats are complete: the contributions, and the game set up.

    Args:
        chance: at draw 0.
        contributions: one text a seat.
        start_seat: as the table fixes it; None if the game's own rule or chance does.
    """
    facts = list(rules.setup(start_seat, chance))
    last = len(facts) - 1
    return [
        Draft(Started(contributions=tuple(contributions))),
        *(Draft(fact, barrier=n == last, draws=chance.counter if n == 0 else 0) for n, fact in enumerate(facts)),
    ]
