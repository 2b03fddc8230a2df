"""The bots of Transatlantic. A bot is told its seat's view and the legal actions, never the state."""

from __future__ import annotations

from domain.bots import random_bot
from domain.game import Bot

BOTS: dict[str, Bot] = {"random": random_bot}
