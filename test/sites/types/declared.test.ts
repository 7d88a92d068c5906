/** Objects that are known by what is written of their type. */
import { describe, expect, it } from 'vitest';
import { spawned, target } from './support.ts';

const ROOMS = `import typing as t
from collections import deque
from dataclasses import dataclass, field
from typing import (Annotated, AsyncIterator, Dict, Generic, Iterator, List, NamedTuple, NewType, Optional, Protocol,
                    Sequence, Tuple, Type, TypeVar, Union, cast)
class Room:
    async def heat(self):
        while True:
            await asyncio.sleep(14)
class Attic(Room):
    async def heat(self):
        while True:
            await asyncio.sleep(15)
class Cellar:
    async def heat(self):
        while True:
            await asyncio.sleep(16)
MaybeRoom = Optional[Room]
Rooms = list[Room]
type Named = dict[str, Room]
R = TypeVar("R", bound=Room)
Main = NewType("Main", Room)
class Plan(NamedTuple):
    room: Room
    other: Cellar
@dataclass
class Flat:
    main: Room
    all: list[Room] = field(default_factory=list)
    by: Dict[str, Cellar] = field(default_factory=dict)
class Box(Generic[R]):
    content: Room
class House:
    first: Optional[Room] = None
    late: "Room"
    def __init__(self, room: Room, *rest: Room, more: Sequence[Room] = (), **by: Cellar):
        self.room = room
        self.rest = rest
        self.more = more
        self.by = by
        self.list: list[Room] = []
        self.queue: deque["Cellar"] = deque()
        self.late = find()
    def __iter__(self) -> Iterator[Room]:
        return iter(self.more)
    def __getitem__(self, name: str) -> Cellar:
        return self.by[name]
def find(): return __import__("somewhere").find()
def get() -> Room: return find()
def get_import() -> Room: return __import__("somewhere").room
def get_maybe() -> "Room | None": return find()
async def aget() -> Room: return await find()
async def aget2(): return Attic()
def get_list() -> list[Room]: return find()
def get_dict() -> t.Dict[str, "Room"]: return find()
def get_tuple() -> tuple[int, Room]: return find()
def get_many() -> Tuple[Room, ...]: return find()
def get_class() -> Type[Room]: return find()
def walk() -> Iterator[Room]:
    yield find()
def walk2():
    yield 1, Attic()
def precise() -> Room:
    return Attic()
def either() -> Union[Room, Cellar]: return find()
house = House(find())
flat = Flat(find())
`;

/** What is declared to be a room may be an attic. */
const ROOM = ['Room.heat 14', 'Attic.heat 15'];

function meant(right: string): string[] {
  return right === ROOM[0] ? ROOM : [right];
}

describe('what is declared', () => {
  it.each([
    ['get().heat()', 'Room.heat 14'],
    ['get_maybe().heat()', 'Room.heat 14'],
    ['get_import().heat()', 'Room.heat 14'],
    ['(await aget()).heat()', 'Room.heat 14'],
    ['(await aget2()).heat()', 'Attic.heat 15'],
    ['get_list()[0].heat()', 'Room.heat 14'],
    ['get_dict()["hall"].heat()', 'Room.heat 14'],
    ['get_dict().get("hall").heat()', 'Room.heat 14'],
    ['get_tuple()[1].heat()', 'Room.heat 14'],
    ['get_many()[3].heat()', 'Room.heat 14'],
    ['get_class()().heat()', 'Room.heat 14'],
    ['next(walk()).heat()', 'Room.heat 14'],
    ['precise().heat()', 'Attic.heat 15'],
    ['cast("Room", x).heat()', 'Room.heat 14'],
    ['t.cast(Cellar, find()).heat()', 'Cellar.heat 16'],
    ['house.first.heat()', 'Room.heat 14'],
    ['house.late.heat()', 'Room.heat 14'],
    ['house.room.heat()', 'Room.heat 14'],
    ['house.rest[0].heat()', 'Room.heat 14'],
    ['house.by["hall"].heat()', 'Cellar.heat 16'],
    ['house["hall"].heat()', 'Cellar.heat 16'],
    ['house.queue.popleft().heat()', 'Cellar.heat 16'],
    ['flat.main.heat()', 'Room.heat 14'],
    ['flat.by["hall"].heat()', 'Cellar.heat 16'],
    ['Plan(Attic(), Cellar())[1].heat()', 'Cellar.heat 16'],
    ['Plan(find(), find())[0].heat()', 'Room.heat 14'],
    ['Box[int]().content.heat()', 'Room.heat 14'],
    ['{k: Attic() for k in "ab"}["a"].heat()', 'Attic.heat 15'],
    ['[Attic() for _ in x][0].heat()', 'Attic.heat 15'],
    // nothing is said
    ['find().heat()', '-'],
    ['get_tuple()[0].heat()', '-'],
  ])('%s', (expression, right) => {
    expect(target(expression, ROOMS)).toEqual(meant(right));
  });

  it('each member of a union', () => {
    expect(target('either().heat()', ROOMS)).toEqual([...ROOM, 'Cellar.heat 16']);
  });

  it.each([
    'Room',
    '"Room"',
    'Optional[Room]',
    'Union[Room, None]',
    'None | Room',
    'Annotated[Room, "big"]',
    'MaybeRoom',
    'R',
    'Main',
    'Optional["Room"]',
    't.Optional[Room]',
    'typing.Annotated["Room", 1]',
    'Room | str',
  ])('a parameter of type %s', (type) => {
    const head = `async def boot(room: ${type}):`;
    expect(spawned('asyncio.create_task(room.heat())', ROOMS, {}, head)).toEqual(ROOM);
  });

  it('a parameter of a generic function', () => {
    const head = 'async def boot[X: Room](room: X):';
    expect(spawned('asyncio.create_task(room.heat())', ROOMS, {}, head)).toEqual(ROOM);
  });

  it.each([
    ['rooms: list[Room]', 'rooms'],
    ['rooms: "list[Room]"', 'rooms'],
    ['rooms: Rooms', 'rooms'],
    ['rooms: t.Iterable["Room"]', 'rooms'],
    ['rooms: Optional[List[Room]] = None', 'rooms or []'],
    ['rooms: set[Room]', 'sorted(rooms)'],
    ['rooms: dict[str, Room]', 'rooms.values()'],
    ['rooms: dict[str, Room]', 'list(rooms.values())'],
    ['rooms: Named', 'rooms.values()'],
    ['*rooms: Room', 'rooms'],
    ['**rooms: Room', 'rooms.values()'],
    ['rooms: dict[Room, int]', 'rooms'],
    ['rooms: Box', 'get_list()'],
    ['rooms: Box', 'walk()'],
    ['rooms: Box', 'house'],
    ['rooms: Box', 'house.list'],
    ['rooms: Box', 'house.more'],
    ['rooms: Box', 'flat.all'],
  ])('each of (%s) %s', (signature, iterable) => {
    const code = `for r in ${iterable}:\n    asyncio.create_task(r.heat())`;
    expect(spawned(code, ROOMS, {}, `async def boot(${signature}):`)).toEqual(ROOM);
  });

  it.each([
    ['for name, r in rooms.items():', 'Room.heat 14'],
    ['for i, r in enumerate(rooms.values()):', 'Room.heat 14'],
    ['for r, i in zip(rooms.values(), x):', 'Room.heat 14'],
    ['for i, r in walk2():', 'Attic.heat 15'],
    ['for i, r in [get_tuple()]:', 'Room.heat 14'],
  ])('%s', (head, right) => {
    const code = `${head}\n    asyncio.create_task(r.heat())`;
    expect(spawned(code, ROOMS, {}, 'async def boot(x, rooms: dict[str, Room]):')).toEqual(meant(right));
  });

  it.each([
    ['number, r = get_tuple()', 'Room.heat 14'],
    ['a, r = Plan(find(), find())', 'Cellar.heat 16'],
    ['r: Room\nr = x', 'Room.heat 14'],
    ['r: Room = x', 'Room.heat 14'],
    ['r: "Optional[Room]" = None', 'Room.heat 14'],
    ['r: Room = Attic()', 'Attic.heat 15'],
    ['r = await aget()', 'Room.heat 14'],
  ])('%s', (line, right) => {
    expect(spawned(`${line}\nasyncio.create_task(r.heat())`, ROOMS)).toEqual(meant(right));
  });

  it('what is put in counts more than what is declared', () => {
    const code = 'rooms: list[Room] = []\nrooms.append(Attic())\nfor r in rooms:\n    asyncio.create_task(r.heat())';
    expect(spawned(code, ROOMS)).toEqual(['Attic.heat 15']);
  });

  it('is found in another module, also under TYPE_CHECKING', () => {
    const before =
      'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import rooms as r\n    from rooms import Rooms\n';
    const files = { 'rooms.py': `import asyncio\n${ROOMS}` };
    const code = 'for one in all:\n    asyncio.create_task(one.heat())\nasyncio.create_task(room.heat())';
    const head = 'async def boot(room: "r.MaybeRoom", all: "Rooms"):';
    expect(spawned(code, before, files, head)).toEqual([...ROOM, ...ROOM]);
  });
});

describe('what a test says', () => {
  it.each([
    'if isinstance(x, Room):\n    asyncio.create_task(x.heat())',
    'if x and isinstance(x, Room):\n    asyncio.create_task(x.heat())',
    'if not isinstance(x, Room):\n    return\nasyncio.create_task(x.heat())',
    'if not isinstance(x, Room):\n    pass\nelse:\n    asyncio.create_task(x.heat())',
    'assert isinstance(x, Room)\nasyncio.create_task(x.heat())',
    'for y in x:\n    if not isinstance(y, Room):\n        continue\n    asyncio.create_task(y.heat())',
    'asyncio.create_task(x.heat() if isinstance(x, Room) else None)',
    '[asyncio.create_task(y.heat()) for y in x if isinstance(y, Room)]',
    'match x:\n    case Room():\n        asyncio.create_task(x.heat())',
    'match x:\n    case Room() as r:\n        asyncio.create_task(r.heat())',
    'match x:\n    case [Room() as r, *_]:\n        asyncio.create_task(r.heat())',
    'match get():\n    case r:\n        asyncio.create_task(r.heat())',
  ])('%s', (code) => {
    expect(spawned(code, ROOMS)).toEqual(ROOM);
  });

  it('is more exact than the annotation', () => {
    const code = 'if isinstance(room, Attic):\n    asyncio.create_task(room.heat())';
    expect(spawned(code, ROOMS, {}, 'async def boot(room: Room):')).toEqual(['Attic.heat 15']);
  });

  it.each([
    'if not isinstance(x, Room):\n    asyncio.create_task(x.heat())',
    'if isinstance(x, Room) or x.ready:\n    asyncio.create_task(x.heat())',
    'if isinstance(x, Room):\n    x = find()\n    asyncio.create_task(x.heat())',
    'if isinstance(x, (Room, str)):\n    asyncio.create_task(x.heat())',
    'if isinstance(y, Room):\n    asyncio.create_task(x.heat())',
    'if isinstance(x, Room):\n    pass\nasyncio.create_task(x.heat())',
    'match x:\n    case 1 as r:\n        asyncio.create_task(r.heat())',
  ])('says nothing: %s', (code) => {
    expect(spawned(code, ROOMS)).toEqual(['-']);
  });
});
