/** The page's behaviour. Text so that the page needs no build of its own; it runs in every browser of the last years. */
export const SCRIPT = String.raw`'use strict';
(() => {
  const { loops, texts } = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);
  const body = document.querySelector('#table tbody');
  const rows = [...body.querySelectorAll('tr.loop')];
  const details = new Map();
  const fields = { class: byId('by-class'), priority: byId('by-priority'), state: byId('by-state') };
  const search = byId('search');
  let order = { key: null, down: false };

  const haystacks = loops.map((loop) =>
    [loop.number === null ? '' : '#' + loop.number, loop.name, loop.file + ':' + loop.line, loop.marker, loop.projectId, loop.batch]
      .join('\n').toLowerCase());

  function matches(loop, i) {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const state = fields.state.value;
    return words.every((word) => haystacks[i].includes(word))
      && (fields.class.value === '' || (loop.class ?? '-') === fields.class.value)
      && (fields.priority.value === '' || (loop.priority ?? '-') === fields.priority.value)
      && (state === '' || loop.state === state || (state === 'legacy' && loop.legacy));
  }

  function filter() {
    let count = 0;
    for (const row of rows) {
      const i = Number(row.dataset.i);
      const shown = matches(loops[i], i);
      row.hidden = !shown;
      const detail = details.get(i);
      if (detail) detail.hidden = !shown || row.querySelector('.toggle').getAttribute('aria-expanded') !== 'true';
      if (shown) count += 1;
    }
    document.querySelector('#count b').textContent = count;
    byId('nothing').hidden = count > 0;
    for (const cell of document.querySelectorAll('.cell'))
      cell.setAttribute('aria-pressed', String(cell.dataset.class === fields.class.value && cell.dataset.priority === fields.priority.value));
  }

  const collator = new Intl.Collator(undefined, { numeric: true });
  function compare(a, b, key) {
    const [x, y] = [loops[a][key], loops[b][key]];
    if (x === y) return a - b;
    if (x === null || y === null) return x === null ? 1 : -1;
    const sign = order.down ? -1 : 1;
    return sign * (typeof x === 'string' ? collator.compare(x, y) : Number(x) - Number(y)) || a - b;
  }

  function sort(key) {
    order = { key, down: order.key === key && !order.down };
    rows.sort((a, b) => compare(Number(a.dataset.i), Number(b.dataset.i), key));
    for (const row of rows) {
      body.append(row);
      const detail = details.get(Number(row.dataset.i));
      if (detail) body.append(detail);
    }
    for (const head of document.querySelectorAll('th[data-sort]')) {
      if (head.dataset.sort === key) head.setAttribute('aria-sort', order.down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    }
  }

  function language() {
    return document.documentElement.lang === 'en' ? 'en' : 'zh';
  }

  function element(tag, text, parent) {
    const made = document.createElement(tag);
    if (text !== null) made.textContent = text;
    parent.append(made);
    return made;
  }

  function worded(tag, key, parent) {
    const [en, zh] = texts[key];
    const made = element(tag, language() === 'en' ? en : zh, parent);
    Object.assign(made.dataset, { en, zh });
    return made;
  }

  function list(key, items, parent, fill) {
    if (items.length === 0) return;
    worded('dt', key, parent);
    const inner = element('ul', null, element('dd', null, parent));
    for (const item of items) fill(element('li', null, inner), item);
  }

  function unfold(i) {
    const loop = loops[i];
    const row = document.createElement('tr');
    row.className = 'detail';
    row.id = 'd' + i;
    const cell = element('td', null, row);
    cell.colSpan = 11;
    const dl = element('dl', null, cell);
    for (const [key, value] of [['expected', loop.expected], ['actual', loop.projectId], ['marker', loop.marker], ['batch', loop.batch]]) {
      if (value === null) continue;
      worded('dt', key, dl);
      element('code', value, element('dd', null, dl));
    }
    const plain = (li, text) => { li.textContent = text; };
    list('lacks', loop.missing, dl, plain);
    list('reasons', loop.reasons, dl, plain);
    list('sites', loop.sites, dl, (li, site) => element('code', site, li));
    list('evidence', loop.evidence, dl, (li, fact) => {
      li.append(fact.fact + ' ');
      element('code', fact.file + ':' + fact.line, li);
      li.append(' ');
      element('code', fact.text, li);
    });
    return row;
  }

  function toggle(button) {
    const row = button.closest('tr');
    const i = Number(row.dataset.i);
    const open = button.getAttribute('aria-expanded') !== 'true';
    button.setAttribute('aria-expanded', String(open));
    button.textContent = open ? '▾' : '▸';
    if (!details.has(i)) {
      details.set(i, unfold(i));
      row.after(details.get(i));
    }
    details.get(i).hidden = !open;
  }

  function speak(lang) {
    document.documentElement.lang = lang;
    const key = language();
    for (const node of document.querySelectorAll('[data-en]')) node.textContent = node.dataset[key];
    for (const button of document.querySelectorAll('[data-lang]'))
      button.setAttribute('aria-pressed', String(button.dataset.lang === lang));
    document.title = texts.heading[key === 'en' ? 0 : 1];
  }

  function move(from, step) {
    const shown = rows.filter((row) => !row.hidden);
    const at = shown.indexOf(from);
    const to = step === 'first' ? shown[0] : step === 'last' ? shown[shown.length - 1] : shown[at + step];
    if (to) to.querySelector('.toggle').focus();
  }

  const MOVES = { ArrowDown: 1, ArrowUp: -1, Home: 'first', End: 'last' };
  document.addEventListener('keydown', (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === 'Escape' && event.target === search) {
      search.value = '';
      filter();
    } else if (event.key === 'ArrowDown' && event.target === search) {
      event.preventDefault();
      move(null, 'first');
    } else if (event.key in MOVES && event.target.classList.contains('toggle')) {
      event.preventDefault();
      move(event.target.closest('tr'), MOVES[event.key]);
    }
  });

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    if (button.classList.contains('toggle')) toggle(button);
    else if (button.dataset.lang) speak(button.dataset.lang);
    else if (button.classList.contains('cell')) {
      const again = button.getAttribute('aria-pressed') === 'true';
      fields.class.value = again ? '' : button.dataset.class;
      fields.priority.value = again ? '' : button.dataset.priority;
      filter();
    } else if (button.id === 'clear') {
      byId('filters').reset();
      filter();
    } else if (button.closest('th[data-sort]')) sort(button.closest('th').dataset.sort);
  });
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
  byId('filters').addEventListener('input', filter);
  for (const button of document.querySelectorAll('[data-lang]'))
    button.setAttribute('aria-pressed', String(button.dataset.lang === document.documentElement.lang));
  filter();
})();
`;
