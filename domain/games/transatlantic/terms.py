"""The words and fixed measures of the printed rules: regions, markers, cards. Figures of an edition are not here."""

from __future__ import annotations

SEATS = (2, 3, 4)

NEUTRAL, SAILING, STEAMSHIP, HEADQUARTERS = "neutral", "sailing", "steamship", "headquarters"

NORTH_ATLANTIC = "north_atlantic"
REGIONS = (NORTH_ATLANTIC, "south_atlantic", "caribbean", "indian_ocean", "far_east")
SHIP_PLACES = {NORTH_ATLANTIC: 4, "south_atlantic": 3, "caribbean": 3, "indian_ocean": 3, "far_east": 3}
HOUSES_A_REGION = 2
"""Own houses a seat may have in one region."""

FLAGS = ("red", "yellow", "black", "blue", "green")
KINDS = ("riband", "bunker", "freight", "mail", "passengers")
RIBAND, BUNKER, FREIGHT, MAIL, PASSENGERS = range(5)
GOODS = ("freight", "mail", "passengers")
CHOICE = ("bunker", "freight", "mail", "passengers")
"""The markers that director, president and invest_plus offer: never a riband."""

MAX_COAL = 3
DISPLAY = 5

DIRECTOR, PRESIDENT, AGENT = "director", "president", "agent"
START_CARDS = ("shipyard", "transport", "region", "coal", AGENT, "invest", DIRECTOR)
CARD_KINDS = (
    "shipyard", "shipyard_plus", "transport", "transport_plus", "region", "coal", "coal_plus", "cargo", "cruise",
    "global", "fleet", "trade", "blue_riband", AGENT, "invest", "invest_plus", DIRECTOR, PRESIDENT,
)  # fmt: skip
EXTENSION = (
    "shipyard_plus", "transport_plus", "coal_plus", "invest_plus", "cargo", "cruise", "global", "fleet", "trade",
    "blue_riband", "region",
)  # fmt: skip
"""What the extension deck may hold."""
CARD_ORDER = {card: place for place, card in enumerate(CARD_KINDS)}

LAST_STEAMSHIP, NO_PURCHASE = "last_steamship", "no_purchase"
