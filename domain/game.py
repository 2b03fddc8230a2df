"""The contract that every game fulfils, and the few values it is written in.

Rules are pure: `decide` says what an action leads to, as facts; `evolve` writes facts down. What a
table does with them (steps, barriers, truncation, record) lives in `domain/table.py` and `domain/play.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar, dataclass_transform

from domain.chance import Chance

Action = Mapping[str, Any]
"""What a seat asks for, as JSON: `{"type": "deliver", "material": "paper", "singles": 2, "doubles": 1}`."""

Viewer = int | None
"""A seat number, or None for the public."""

Language = Literal["en", "de"]

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]


class Fact(Protocol):
    """Something that happened: a frozen, slotted dataclass made by `@fact`, holding JSON-like values only."""

    TOPIC: ClassVar[str]
    SCHEMA: ClassVar[int]
    UPCASTERS: ClassVar[Mapping[int, Upcaster]]


T = TypeVar("T")
S = TypeVar("S")


@dataclass_transform(frozen_default=True)
def fact(
    topic: str, *, schema: int = 1, upcasters: Mapping[int, Upcaster] | None = None
) -> Callable[[type[T]], type[T]]:
    """Make a class a recordable fact under a topic that never changes.

    Args:
        topic: `<game>.<PastTense>`; written to every record, so it outlives renames of the class.
        schema: version of the fields. Raise it when they change and give an upcaster from each older one.
        upcasters: old schema version → function from its fields to those of the next version.
    """

    def wrap(cls: type[T]) -> type[T]:
        made = dataclass(frozen=True, slots=True)(cls)
        made.TOPIC = topic  # type: ignore[attr-defined]
        made.SCHEMA = schema  # type: ignore[attr-defined]
        made.UPCASTERS = dict(upcasters or {})  # type: ignore[attr-defined]
        return made

    return wrap


class IllegalAction(Exception):
    """An action that the rules refuse.

    Args:
        rule: stable code of the rule, `<game>.<what-was-wrong>`.
        message: what is wrong and what would be right, for the player.
    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message


class InvalidOptions(Exception):
    """Options that a game does not offer; `errors` maps the option's name to what is wrong with it."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {text}" for name, text in errors.items()))
        self.errors = dict(errors)


@dataclass(frozen=True, slots=True)
class Option:
    """One choice made when a table opens.

    Args:
        name: key in the table's `options`.
        title: in both languages.
        default: the value when none is given, or a function of the number of seats.
        choices: every allowed value; all of one JSON type.
        seats: the numbers of seats with which a value other than the default is allowed; None: all.
    """

    name: str
    title: Mapping[str, str]
    default: Any
    choices: tuple[Any, ...] = (False, True)
    seats: frozenset[int] | None = None

    def default_for(self, seats: int) -> Any:
        return self.default(seats) if callable(self.default) else self.default

    def refusal(self, value: Any, seats: int) -> str | None:
        """What is wrong with a value at a table of so many seats; None if nothing is."""
        if not any(type(value) is type(choice) and value == choice for choice in self.choices):
            return f"must be one of {', '.join(map(repr, self.choices))}"
        if self.seats is not None and seats not in self.seats and value != self.default_for(seats):
            return f"is offered with {', '.join(map(str, sorted(self.seats)))} seats only"
        return None

    def schema(self) -> dict[str, Any]:
        """This option as a property of a JSON Schema."""
        kind = {bool: "boolean", str: "string", int: "integer"}[type(self.choices[0])]
        shown = {"type": kind, "enum": list(self.choices), "title": dict(self.title)}
        return shown if callable(self.default) else shown | {"default": self.default}


@dataclass(frozen=True, slots=True)
class Config:
    """What is fixed before the first fact of a game.

    Args:
        seats: how many.
        options: complete and valid, every option of the game present.
        data: name → content of each data file that the table plays with, as its first event records it.
    """

    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is: `number` from 1, passes counted. Another seat may have to decide in it."""

    number: int
    seat: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """A seat's line of the score sheet; `rank` 1 is best, equals share it and the next place is skipped."""

    seat: int
    total: int
    rank: int
    breakdown: Mapping[str, Any]
    team: int | None = None


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The end of a game, in points: one line a seat, by seat. `tie_break` names what separated the leaders."""

    seats: tuple[SeatScore, ...]
    tie_break: str | None
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(line.seat for line in self.seats if line.rank == 1)


def ranks(keys: Sequence[Any]) -> tuple[int, ...]:
    """Places of the given keys, greatest first: equal keys share a place and the next is skipped (1, 2, 2, 4)."""
    return tuple(1 + sum(other > key for other in keys) for key in keys)


@dataclass(frozen=True, slots=True)
class Position:
    """All that a bot is told: its own seat's view, as a person at that seat would get it.

    Args:
        seat, seats, options: who it is, at what kind of table.
        state, knowledge: as in the view of that seat.
        actions: the legal ones, never empty.
        data: content of the data files that the table plays with, by name.
    """

    seat: int
    seats: int
    options: Mapping[str, Any]
    state: Mapping[str, Any]
    knowledge: Mapping[str, Any] | None
    actions: tuple[Action, ...]
    data: Mapping[str, str] = field(default_factory=dict)


class Bot(Protocol):
    """Chooses one of `position.actions`; the same position and random state give the same choice."""

    def __call__(self, position: Position, rng: Random, /) -> Action: ...


class Rules(ABC, Generic[S]):
    """One version of one game's rules, bound to a table's configuration. Holds no state of a game.

    `S` is the game's state: an immutable value made of dataclasses, tuples, dicts with str or int keys,
    ints, strings, booleans and None, fully annotated, so that it can be snapshotted and copied cheaply.
    """

    State: ClassVar[type]
    """The class of the state, for snapshots."""

    Memory: ClassVar[type | None] = None
    """The class of what `remember` folds, for snapshots; None if the game keeps none."""

    deliberate: ClassVar[frozenset[str]] = frozenset({"end_turn", "pass"})
    """Action types that are never carried out by themselves, even when they are the only choice:
    what starts a turn and what ends it."""

    def __init__(self, config: Config) -> None:
        self.config = config

    @abstractmethod
    def setup(self, start_seat: int | None, chance: Chance) -> Sequence[Fact]:
        """The facts that set a game up. The first one states the start seat, in its field `start_seat`.

        Args:
            start_seat: fixed by the table, or None: drawn by chance, or by the game's own rule.
        """

    @abstractmethod
    def legal_actions(self, state: S, seat: int) -> Sequence[Action]:
        """Everything the seat may do now, in a stable order; empty if it has nothing to decide."""

    @abstractmethod
    def decide(self, state: S, seat: int, action: Action, chance: Chance) -> Sequence[Fact]:
        """What a legal action leads to. All rules, all chance are here.

        Raises:
            IllegalAction: naming the rule; for everything that is not in `legal_actions(state, seat)`.
        """

    @abstractmethod
    def evolve(self, state: S | None, fact: Any) -> S:
        """The state after a fact (None: before the first). Writes down, decides nothing."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[int, ...]:
        """The seats that must decide now; empty only when the game is over."""

    @abstractmethod
    def turn(self, state: S) -> Turn:
        """The current turn; after the end, the last one."""

    @abstractmethod
    def is_barrier(self, state: S, fact: Any) -> bool:
        """Whether by this fact, in the state before it, the acting seat learns what its view did not tell.

        Only that: the use of chance, another seat having to decide, the end of a turn and of the game are
        barriers by themselves, the table sees to them.
        """

    @abstractmethod
    def is_final(self, state: S, seat: int, action: Action) -> bool:
        """Whether a legal action is, or as far as the seat can know may turn out to be, a barrier of any kind."""

    @abstractmethod
    def end_reason(self, state: S) -> str | None:
        """Why the game is over; None while it is not."""

    @abstractmethod
    def score(self, state: S) -> ScoreSheet:
        """The score sheet of a finished game."""

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """The state as JSON for one viewer: an allow-list of what that viewer may see."""

    @abstractmethod
    def fact_view(self, fact: Any, viewer: Viewer) -> dict[str, Any]:
        """A fact's fields as JSON for one viewer while the game runs: an allow-list."""

    @abstractmethod
    def describe(self, fact: Any, language: Language, viewer: Viewer) -> str:
        """A fact as a sentence of the log, telling no more than `fact_view`. Seats are called by number."""

    def remember(self, memory: Any, state: S | None, fact: Any) -> Any:
        """What all viewers together have seen, after a fact: a fold beside the state (None: before the first).

        Args:
            state: the state before the fact; None before the first.
        """
        return None

    def knowledge(self, state: S, memory: Any, viewer: Viewer) -> dict[str, Any] | None:
        """What a viewer can know of the zones it can't see, as JSON."""
        return None

    def redrawn(self, state: S, world: Mapping[str, Sequence[str]], rng: Random) -> S:
        """The state with what is hidden standing as in a world: what a fork of a running game begins from.

        Args:
            world: zone → its cards, for every zone of the game's memory; drawn from those that the forker can't tell
                from the true one.
            rng: for what is hidden from everybody and in no zone of the memory.
        """
        return state

    def is_over(self, state: S) -> bool:
        return self.end_reason(state) is not None

    def forced(self, state: S) -> tuple[int, Action] | None:
        """The seat and action of a single choice inside an action, carried out by itself; None if there is none."""
        seats = self.to_act(state)
        if len(seats) != 1:
            return None
        actions = self.legal_actions(state, seats[0])
        if len(actions) != 1 or actions[0]["type"] in self.deliberate:
            return None
        return seats[0], actions[0]


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the registry knows it: one line there, everything else in its own folder.

    Args:
        key: stable id, the prefix of its topics and rule codes.
        title: by language.
        seats: the allowed numbers of seats, ascending.
        facts: every fact class that its rules, of any version, have ever recorded.
        rules: version → rules; new tables take the highest, running ones keep theirs.
        bots: name → bot; `automa` plays on for a seat that resigned.
        options: what a table may choose.
        data: the data files that a table with given options plays with, name → content.
    """

    key: str
    title: Mapping[str, str]
    seats: tuple[int, ...]
    facts: tuple[type, ...]
    rules: Mapping[int, Callable[[Config], Rules[Any]]]
    bots: Mapping[str, Bot]
    options: tuple[Option, ...] = ()
    data: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda options: {}

    @property
    def current_rules(self) -> int:
        return max(self.rules)

    def complete(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """The given options, checked, with defaults for those left out.

        Raises:
            InvalidOptions: for a name or value that is not offered.
        """
        known = {option.name: option for option in self.options}
        errors = {name: f"{self.key} has no such option" for name in given if name not in known}
        for name, option in known.items():
            if name in given and (refusal := option.refusal(given[name], seats)):
                errors[name] = refusal
        if errors:
            raise InvalidOptions(errors)
        return {name: given.get(name, option.default_for(seats)) for name, option in known.items()}

    def options_schema(self) -> dict[str, Any]:
        """The options as a JSON Schema object."""
        return {
            "type": "object",
            "properties": {option.name: option.schema() for option in self.options},
            "additionalProperties": False,
        }
