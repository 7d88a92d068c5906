/** Spawns in ordinary functions: from where are they called, and do they need an id of their own? */
import { describe, expect, it } from 'vitest';
import { isBackground } from '../../../src/policy/index.ts';
import { analysisOf } from '../facts/support.ts';

const MAIL = `import asyncio
async def send(text): print(text)
async def sweep():
    while True: await asyncio.sleep(60)
class Mailer:
    async def __aenter__(self): asyncio.create_task(send("made"))
    def later(self, text): self.put(text)
    def put(self, text): asyncio.create_task(send(text))
def forgotten(): asyncio.create_task(send("a"))
kept = set()
def held(): kept.add(asyncio.create_task(send("a")))
async def waited(): await asyncio.create_task(send("a"))
def given(): return asyncio.create_task(send("a"))
def looping(): asyncio.create_task(sweep())
def strange(client): asyncio.create_task(client.send("a"))
`;

/** What the function in `mail.py` starts, when `main.py` holds this text. */
function spawn(enclosing: string, main = '') {
  const { sites } = analysisOf({ 'mail.py': MAIL, 'main.py': main });
  const site = sites.find((s) => s.enclosing === enclosing)!;
  const [target = null] = site.targets;
  return { from: site.shape.calledFrom, background: isBackground({ site, target }) };
}

describe('without a known caller', () => {
  it.each([
    ['forgotten', true],
    ['held', false],
    ['waited', false],
    ['given', false],
    ['looping', true],
    ['strange', false],
  ])('%s', (enclosing, background) => {
    expect(spawn(enclosing).background).toBe(background);
  });

  it('a test needs no id for what it starts in passing', () => {
    for (const file of ['tests/test_mail.py', 'test/helpers.py', 'pkg/mail_test.py', 'conftest.py']) {
      const { sites } = analysisOf({ [file]: MAIL });
      const site = sites.find((s) => s.enclosing === 'forgotten')!;
      expect(isBackground({ site, target: site.targets[0]! })).toBe(false);
    }
  });
});

describe('called from', () => {
  const inside = (head: string, body: string) =>
    `import mail, fastapi, asyncio\napp = fastapi.FastAPI()\n${head}\n    ${body}\n`;
  const ROUTE = '@app.post("/")\nasync def create():';
  const LIFESPAN = 'async def lifespan(app):';

  it.each([
    ['a request', inside(ROUTE, 'mail.forgotten()'), 'forgotten', ['request'], false],
    ['a request, by way of a method', inside(ROUTE, 'mail.Mailer().later("a")'), 'Mailer.put', ['request'], false],
    [
      'a request that opens an object',
      inside(ROUTE, 'async with mail.Mailer(): pass'),
      'Mailer.__aenter__',
      ['request'],
      false,
    ],
    ['a request with an unknown object', inside(ROUTE, 'app.state.mailer.put("a")'), 'Mailer.put', ['request'], false],
    [
      'what a request depends on',
      inside('def a(x=fastapi.Depends(mail.forgotten)):', 'pass'),
      'forgotten',
      ['request'],
      false,
    ],
    ['start-up', inside(LIFESPAN, 'mail.held()'), 'held', ['startup'], true],
    ['start-up, and waited for', inside(LIFESPAN, 'await mail.waited()'), 'waited', undefined, false],
    ['a hook', 'import mail\napp.add_event_handler("startup", mail.held)\n', 'held', ['startup'], true],
    ['a hook for the end', 'import mail\ndef f(): app.add_event_handler("shutdown", mail.held)\n', 'held', [], false],
    ['an import', 'from mail import held as h\nh()\n', 'held', ['module'], true],
    [
      'start-up and a request',
      inside(LIFESPAN, 'mail.forgotten()') + inside(ROUTE, 'mail.forgotten()'),
      'forgotten',
      ['request', 'startup'],
      false,
    ],
    [
      'a spawned task',
      inside('async def work():', 'mail.forgotten()\ndef main(): asyncio.create_task(work())'),
      'forgotten',
      ['task'],
      false,
    ],
    [
      'another function of that name',
      'def forgotten(): pass\nasync def lifespan(app): forgotten()\n',
      'forgotten',
      [],
      true,
    ],
    ['itself', inside('def other():', 'mail.Mailer.put(mail.Mailer(), "a")'), 'Mailer.put', [], true],
  ] as const)('%s', (_, main, enclosing, from, background) => {
    expect(spawn(enclosing, main)).toEqual({ from: from && [...from], background });
  });
});

describe('among files that have nothing to do with it', () => {
  const ENGINE =
    'import asyncio\nasync def send(): print(1)\nclass Engine:\n    def launch(self): asyncio.create_task(send())\n';
  const ROUTE = 'async def page(request):\n    request.app.engine.launch()\n';
  const fromOf = (files: Record<string, string>) => analysisOf(files).sites.map((s) => s.shape.calledFrom);

  it.each([
    ['beside it', 'engine.py', 'web.py', ROUTE, [['request']]],
    ['in its package', 'shop/core/engine.py', 'shop/api/web.py', ROUTE, [['request']]],
    ['that names its package', 'shop/core/engine.py', 'web/page.py', `import shop\n${ROUTE}`, [['request']]],
    ['of another package', 'shop/core/engine.py', 'web/page.py', ROUTE, [[]]],
  ])('a method called in a file %s', (_what, own, other, text, expected) => {
    const inits = {
      'shop/__init__.py': '',
      'shop/core/__init__.py': '',
      'shop/api/__init__.py': '',
      'web/__init__.py': '',
    };
    expect(fromOf({ ...(own.includes('/') ? inits : {}), [own]: ENGINE, [other]: text })).toEqual(expected);
  });
});
