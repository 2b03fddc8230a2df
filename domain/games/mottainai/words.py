"""The words of the log in English and German: materials, tasks, zones, and what is said of choices and ends.

Card names come from the card table; sentences are put together in `text.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

SEAT = {"en": "Seat", "de": "Sitz"}
MATERIAL_WORDS = {
    "en": {"paper": "Paper", "stone": "Stone", "cloth": "Cloth", "clay": "Clay", "metal": "Metal"},
    "de": {"paper": "Papier", "stone": "Stein", "cloth": "Stoff", "clay": "Lehm", "metal": "Metall"},
}
TASK_WORDS = {
    "en": {"clerk": "Clerk", "monk": "Monk", "tailor": "Tailor", "potter": "Potter", "smith": "Smith"},
    "de": {"clerk": "Schreiber", "monk": "Mönch", "tailor": "Schneider", "potter": "Töpfer", "smith": "Schmied"},
}
FROM = {
    "en": {
        "hand": "from hand",
        "bench": "from the bench",
        "sales": "from the sales",
        "helpers": "from the helpers",
        "task": "from the task slot",
        "gallery": "from the gallery",
        "gift_shop": "from the gift shop",
        "deck": "from the deck",
        "floor": "from the floor",
    },
    "de": {
        "hand": "von der Hand",
        "bench": "von der Werkbank",
        "sales": "aus den Verkäufen",
        "helpers": "von den Helfern",
        "task": "vom Aufgabenplatz",
        "gallery": "aus der Galerie",
        "gift_shop": "aus dem Souvenirladen",
        "deck": "vom Deck",
        "floor": "vom Boden",
    },
}
INTO = {
    "en": {
        "bench": "to the bench",
        "sales": "to the sales",
        "helpers": "to the helpers",
        "task": "into the task slot",
        "gallery": "to the gallery",
        "gift_shop": "to the gift shop",
        "floor": "to the floor",
        "waiting": "into the waiting area",
    },
    "de": {
        "bench": "auf die Werkbank",
        "sales": "zu den Verkäufen",
        "helpers": "zu den Helfern",
        "task": "auf den Aufgabenplatz",
        "gallery": "in die Galerie",
        "gift_shop": "in den Souvenirladen",
        "floor": "auf den Boden",
        "waiting": "in den Wartebereich",
    },
}
OF_SEAT = {"en": " of seat {}", "de": " von Sitz {}"}
PLAIN = {
    "en": {
        "old_task": "{who} puts the old task {what} on the floor.",
        "choose_task": "{who} chooses the task {what}.",
        "clerk": "{who} sells {what}.",
        "monk": "{who} hires a helper: {what}.",
        "potter": "{who} takes {what} from the floor to the bench.",
    },
    "de": {
        "old_task": "{who} legt die alte Aufgabe {what} auf den Boden.",
        "choose_task": "{who} wählt die Aufgabe {what}.",
        "clerk": "{who} verkauft {what}.",
        "monk": "{who} wirbt einen Helfer an: {what}.",
        "potter": "{who} nimmt {what} vom Boden auf die Werkbank.",
    },
}
CAUSES = {
    "en": {
        "prayer": "prayer",
        "tailor": "Tailor",
        "limit": "hand limit",
        "smith": "Smith",
        "craft": "craft",
    },
    "de": {
        "prayer": "Gebet",
        "tailor": "Schneider",
        "limit": "Handlimit",
        "smith": "Schmied",
        "craft": "Anfertigen",
    },
}
CHOICES = {
    "en": {
        "perform": "{who} uses an action: {value}.",
        "use_work": "{who} uses {value}.",
        "no_task": "{who} chooses no task.",
        "decline": "{who} declines.",
        "stop": "{who} stops there.",
        "pass": "{who} passes an action.",
        "choose_seat": "{who} chooses seat {value}.",
        "choose_card": "{who} chooses {value}.",
        "choose_task": "{who} chooses {value}.",
        "choose_material": "{who} names {value}.",
        "choose_wing": "{who} chooses a wing: {value}.",
        "complete": "{who} begins to complete {value}.",
        "return_card": "{who} returns a card.",
    },
    "de": {
        "perform": "{who} nutzt eine Aktion: {value}.",
        "use_work": "{who} nutzt {value}.",
        "no_task": "{who} wählt keine Aufgabe.",
        "decline": "{who} verzichtet.",
        "stop": "{who} belässt es dabei.",
        "pass": "{who} passt bei einer Aktion.",
        "choose_seat": "{who} wählt Sitz {value}.",
        "choose_card": "{who} wählt {value}.",
        "choose_task": "{who} wählt {value}.",
        "choose_material": "{who} nennt {value}.",
        "choose_wing": "{who} wählt einen Flügel: {value}.",
        "complete": "{who} beginnt {value} herzustellen.",
        "return_card": "{who} legt eine Karte zurück.",
    },
}
VALUES: Mapping[str, Mapping[str | None, str]] = {
    "en": {
        "task": "the task",
        "craft": "craft",
        "prayer": "prayer",
        "return": "the floor is returned",
        "deal": "cards are dealt to the floor",
        "gallery": "gallery",
        "gift_shop": "gift shop",
        None: "a card",
    },
    "de": {
        "task": "die Aufgabe",
        "craft": "Anfertigen",
        "prayer": "Gebet",
        "return": "der Boden wird zurückgelegt",
        "deal": "Karten werden auf den Boden gelegt",
        "gallery": "Galerie",
        "gift_shop": "Souvenirladen",
        None: "eine Karte",
    },
}
ENDS = {
    "en": {
        "wing": "Seat {seat} has filled a wing. The game is over.",
        "deck": "The deck is empty. The game is over.",
        "cup": "Seat {seat} has put Cup away. The game is over.",
        "turtle": "Seat {seat} has works of all five materials and wins by Turtle.",
        "round_limit": "The last round has been played. The game is over.",
    },
    "de": {
        "wing": "Sitz {seat} hat einen Flügel gefüllt. Das Spiel ist aus.",
        "deck": "Das Deck ist leer. Das Spiel ist aus.",
        "cup": "Sitz {seat} hat die Tasse zurückgelegt. Das Spiel ist aus.",
        "turtle": "Sitz {seat} hat Werke aus allen fünf Materialien und gewinnt durch die Schildkröte.",
        "round_limit": "Die letzte Runde ist gespielt. Das Spiel ist aus.",
    },
}
