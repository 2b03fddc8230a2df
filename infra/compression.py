"""The compressor of stored events: zlib with a preset dictionary, since an event is too short to repeat itself.

The first byte names the dictionary; one that was used once is never changed, new ones are added. A release can only
read the dictionaries that it knows: a new one is to be known one release before it is written.
"""

from __future__ import annotations

import zlib

from eventsourcing.persistence import Compressor

# What envelopes are made of, the most frequent last: matches near the end are the cheapest.
_FIRST = (
    b'{"cards":["can1","can2","glass1","glass2","paper1","paper2","plastic1","plastic2"],"material":"",'
    b'"server_seed":"","contributions":["",""],"type":"table.Opened","type":"table.Scored","type":"table.Ended",'
    b'"type":"table.Sealed","data":{"reason":"undo","to":},"type":"table.Truncated"}'
    b'{"action":{"doubles":0,"material":"plastic","singles":1,"type":"deliver"},"by":"system","by":"bot:random",'
    b'"data":{"cards":{"glass1":1},"seat":0},"schema":1,"seat":0,"type":"roeko.CardsDisposed"}'
    b'{"action":{"type":"end_turn"},"at":"2027-01-01T00:00:00.000000Z","barrier":true,"by":"bot:automa",'
    b'"command":"","data":{"collected":{},"doubles":0,"material":"glass","reward":null,"seat":0,"singles":1},'
    b'"draws":1,"schema":1,"seat":1,"type":"roeko.CardsDelivered"}'
    b'{"action":{"type":"","at":"2026-12-01T00:00:00.000000Z","barrier":true,"by":"player:","command":"","data":{"'
)
# The same for all games: shapes of their most frequent events.
_SECOND = (
    b'"hands":[["","entropy":"","player":"","type":"table.SeatTaken"}"server_seed":"","contributions":["",""],"schem'
    b'a":1,"type":"table.Started"}'
    b'"reason":"take_back","reason":"moderation","type":"table.Opened"}"type":"table.Scored"}"type":"table.Ended"}"t'
    b'ype":"table.Sealed"}'
    # Transatlantic
    b'"habsburg","gallia","prinzregent_luitpold","ariel"'
    b'"cargo","director","shipyard","freight","passenger","mail","north_atlantic","south_atlantic","mediterranean","'
    b'asia","pacific"'
    b'{"action":{"region":"south_atlantic","ship":"","type":"deploy"},"data":{"contracts":0,"displaced":null,"place"'
    b':0,"region":"north_atlantic","riband":false,"seat":2,"ship":"","then":[["end",2]]},"schema":1,"seat":2,"type":'
    b'"transatlantic.ShipDeployed"}'
    b'"type":"take_card"},"type":"transatlantic.CardTaken"}"cards":7,"type":"transatlantic.CardsTakenBack"}"type":"d'
    b'one"},"type":"transatlantic.ChoiceDeclined"}'
    b'{"action":{"kind":"freight","type":"marker"},"data":{"contracts":0,"kind":"freight","paid":0,"seat":1,"then":['
    b'["end",1],["card",1],["marker",0,1,"any"],["travel",0,0,["deploy_new",0],["buy",0]]},"schema":1,"seat":1,"type'
    b'":"transatlantic.MarkerTaken"}'
    b'{"action":{"ship":"","type":"travel"},"data":{"money":0,"points":1,"seat":0,"ship":"","then":[["end",0]]},"sch'
    b'ema":1,"seat":0,"type":"transatlantic.ShipTravelled"}'
    b'{"action":{"ship":"","type":"coal"},"data":{"seat":0,"ship":"","then":[["end",0]]},"type":"transatlantic.CoalL'
    b'oaded"}'
    b'{"action":{"card":"","type":"play"},"data":{"card":"","money":0,"points":0,"seat":0,"then":[["end",0]]},"type"'
    b':"transatlantic.CardPlayed"}'
    b'"data":{"discard":null,"display":null,"docked":null,"drawn":0,"final_round":null,"market":null,"pile":null,"qu'
    b'iet":0,"reason":null,"round":1,"scored":[],"seat":0},"schema":1,"seat":0,"type":"transatlantic.TurnEnded"}'
    # Mottainai
    b'"type":"use_work","work":"","data":{"by":"","card":"","keep":0,"push":[["after_smith","",-1,1,1]],"seat":0,"sh'
    b'own":[],"src":"hand","wing":"gallery","wing":"gift_shop"},"schema":1,"seat":0,"type":"mottainai.WorkCompleted"'
    b"}"
    b'"data":{"extra":0,"keep":0,"number":1,"push":[["limit"]],"round":1,"seat":0},"schema":1,"seat":0,"type":"motta'
    b'inai.TurnStarted"}'
    b'{"action":{"type":"end_turn"},"data":{"cards":["","keep":-1,"push":[],"seat":0},"schema":1,"seat":0,"type":"mo'
    b'ttainai.WaitingTaken"}'
    b'"data":{"by":"limit","cards":[""],"keep":0,"push":[],"seat":0,"src":"gift_shop"},"schema":1,"seat":0,"type":"m'
    b'ottainai.CardsReturned"}'
    b'{"action":{"as":"task","type":"perform"},"data":{"choice":"perform","keep":1,"push":[["perform","clerk",1],["c'
    b'lerk"],["monk"],["tailor"],["potter"],["smith"]],"seat":0,"value":"task"},"schema":1,"seat":0,"type":"mottaina'
    b'i.ChoiceMade"}'
    b'{"action":{"as":"prayer","type":"perform"},"data":{"by":"prayer","cards":[""],"keep":0,"push":[["noon","",-1,1'
    b'],["perform","potter",0,1]],"seat":0},"schema":1,"seat":0,"type":"mottainai.CardsDrawn"}'
    b'"data":{"actions":1,"keep":-1,"owner":0,"push":[],"seat":0,"task":"smith"},"schema":1,"seat":0,"type":"mottain'
    b'ai.TaskStarted"}'
    b'{"action":{"card":"","type":"choose_task"},"data":{"by":"old_task","cards":[""],"dst":"floor","keep":0,"push":'
    b'[["choose"]],"seat":0,"src":"task","to":0,"whose":0},"schema":1,"seat":0,"type":"mottainai.CardsMoved"}'
    # Pasha
    b'"data":{"cards":[[1],[-1],[5]],"order":[2,0,1],"seat":0,"tiles":[[],[],[]]},"schema":1,"seat":0,"type":"pasha.'
    b'RoundAwarded"}"data":{"die":4,"points":3,"round":1,"start_seat":1},"schema":1,"seat":0,"type":"pasha.RoundStar'
    b'ted"}'
    b'{"action":{"type":"stop"},"data":{"seat":0},"schema":1,"seat":0,"type":"pasha.ThrowingStopped"}"data":{"next_s'
    b'eat":0,"seat":0},"schema":1,"seat":0,"type":"pasha.TurnEnded"}'
    b'"data":{"column":6,"level":0,"row":"pair","seat":0},"schema":1,"seat":0,"type":"pasha.JetonPlaced"}{"action":{'
    b'"type":"play_card","value":1},"data":{"restart":false,"seat":0,"taken":[],"throws":3,"value":1},"schema":1,"se'
    b'at":0,"type":"pasha.CardPlayed"}'
    b'{"action":{"keep":[],"type":"rethrow"},"data":{"kept":[],"seat":0,"stones":1,"thrown":[1,2]},"draws":1,"schema'
    b'":1,"seat":0,"type":"pasha.DiceRethrown"}'
    b'{"action":{"keep":[],"type":"throw"},"data":{"kept":[],"seat":0,"thrown":[1,2,3,4,5],"throws_left":2},"draws":'
    b'1,"schema":1,"seat":0,"type":"pasha.DiceThrown"}'
    # R-Öko, and what every envelope has
    b'"data":{"reason":"undo","to":1},"schema":1,"seat":0,"type":"table.Truncated"}'
    b'"can1","can2","glass1","glass2","paper1","paper2","plastic1","plastic2"'
    b'"data":{"next_seat":1,"reason":null,"seat":0},"schema":1,"seat":0,"type":"roeko.TurnEnded"}'
    b'{"action":{"cards":{"glass1":1,"paper1":1},"type":"dispose"},"data":{"cards":{"can1":1,"plastic1":1},"seat":0}'
    b',"schema":1,"seat":0,"type":"roeko.CardsDisposed"}'
    b'"data":{"cards":["paper2"],"material":"plastic"},"schema":1,"seat":1,"type":"roeko.DumpRefilled"}'
    b'{"action":{"doubles":0,"material":"can","singles":2,"type":"deliver"},"data":{"collected":{"can1":1,"paper1":1'
    b'},"doubles":0,"material":"glass","reward":null,"seat":0,"singles":1},"schema":1,"seat":0,"type":"roeko.CardsDe'
    b'livered"}'
    b',"by":"system","command":","by":"bot:random","command":"'
    b'{"action":{"type":"end_turn"},"at":"2027-01-01T00:00:00.000000Z","barrier":true,"by":"bot:automa","command":"'
    b'{"action":{"at":"2026-12-01T00:00:00.000000Z","by":"player:","command":"","data":{"'
    b'"at":"2026-12-01T00:00:00.000000Z","barrier":true,"by":"player:","command":"","data":{"'
)
DICTIONARIES = {1: _FIRST, 2: _SECOND}
CURRENT = 2
LEVEL = 6


class PresetZlib(Compressor):
    """Deflate with the dictionary of the first byte; about a third of an event's size remains."""

    def compress(self, data: bytes) -> bytes:
        deflater = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=DICTIONARIES[CURRENT])
        return bytes([CURRENT]) + deflater.compress(data) + deflater.flush()

    def decompress(self, data: bytes) -> bytes:
        return zlib.decompressobj(-zlib.MAX_WBITS, zdict=DICTIONARIES[data[0]]).decompress(data[1:])
