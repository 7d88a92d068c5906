/** Project ids on their way through the wrappers of a project. */
import { describe, expect, it } from 'vitest';
import { analysisOf } from '../facts/support.ts';

const CONTEXT = `import contextvars
project_id_ctx_var = contextvars.ContextVar("project_id")
trace_id_ctx_var = contextvars.ContextVar("trace_id")
async def owned_by(work, owner):
    project_id_ctx_var.set(owner)
    await work
async def traced_for(work, owner="common"):
    project_id_ctx_var.set(owner)
    trace_id_ctx_var.set("t-" + owner)
    return await work
`;
const SPAWNERS = `import asyncio
from context import owned_by, traced_for
HOUSE = "house"
def start(work, owner=HOUSE, *, label=None):
    return asyncio.create_task(owned_by(work, owner), name=label)
def start_made(make, *args, owner):
    return start(make(*args), owner)
def start_named(make, owner, **named):
    start(owner=owner, work=make(**named))
def traced(work): asyncio.create_task(traced_for(work))
def twice_removed(work): traced(work)
class Team:
    def __init__(self, owner): self.owner = owner
    def add(self, work): return start(work, self.owner)
    def also(self, work): return self.add(work)
class Named(Team):
    owner = "never seen"
    def __init__(self): super().__init__("named")
class Fixed:
    owner = "fixed"
    def add(self, work): start(work, owner=self.owner)
class Moved(Fixed):
    owner = "moved"
team = Team("blue")
`;

function spawned(statement: string) {
  const { sites } = analysisOf({
    'context.py': CONTEXT,
    'spawners.py': SPAWNERS,
    'main.py': `import asyncio
from context import owned_by, traced_for
from spawners import *
from elsewhere import unseen
async def poll(every=9):
    while True: await asyncio.sleep(every)
def boot(given):
    ${statement}
`,
  });
  const found = sites.filter((s) => s.range.file === 'main.py').flatMap((s) => s.targets);
  expect(found.map((t) => t.qualifiedName)).toEqual(['main.poll']);
  return found[0]!;
}

describe('the id that a wrapper sets', () => {
  it.each([
    ['start(poll())', 'house'],
    ['start(poll(), "a")', 'a'],
    ['start(label="x", owner="b", work=poll())', 'b'],
    ['start_made(poll, owner="c")', 'c'],
    ['start_named(poll, "d", every=4)', 'd'],
    ['team.add(poll())', 'blue'],
    ['Team("green").add(poll())', 'green'],
    ['Team("green").also(poll())', 'green'],
    ['Named().also(poll())', 'named'],
    ['Fixed().add(poll())', 'fixed'],
    ['Moved().add(poll())', 'moved'],
    ['twice_removed(poll())', 'common'],
    ['start(poll(), given)', null],
    ['Team(given).add(poll())', null],
    ['start(poll(), *unseen())', null],
  ])('%s', (statement, projectId) => {
    expect(spawned(statement).tag).toMatchObject({ projectId, via: 'caller' });
  });

  it('comes with a trace id where the helper sets one', () => {
    expect(spawned('twice_removed(poll())').traceId).toBe(true);
    expect(spawned('start(poll())').traceId).toBe(false);
  });
});

describe('a helper that is given its arguments with stars', () => {
  it.each([
    ['owned_by(*[poll(), "e"])', 'e'],
    ['owned_by(*(poll(),), owner="f")', 'f'],
    ['owned_by(poll(), **{"owner": "g"})', 'g'],
    ['owned_by(**dict(work=poll(), owner="h"))', 'h'],
    ['traced_for(*[poll()])', 'common'],
    ['owned_by(poll(), **given)', null],
  ])('%s', (call, projectId) => {
    const { tag } = spawned(`asyncio.create_task(${call})`);
    expect(tag).toMatchObject({ projectId, via: 'wrapper' });
    // there is no id of its own at the site that an edit could replace
    expect(tag?.wrapping).toBeUndefined();
  });
});
