// The page: the list of files, and the file that is shown.

import { json, path, el, bytes, whole, times, drawn } from './api.js';
import { show } from './array.js';

const $ = id => document.getElementById(id);
const here = () => decodeURIComponent(location.pathname.replace(/^\/(view\/)?/, '').replace(/\/$/, ''));
const twin = p => p === '' ? '/view/.json' : `/view/${path(p)}.json`;
let shown, source;

// --- the list of files -------------------------------------------------------

const opens = e => ['folder', 'store', 'group', 'table', 'embed'].includes(e.kind);

function what(e) {
  if (e.error) return 'damaged';
  if (e.shape) return times(e.shape) + (e.dtype?.length < 8 ? ' ' + e.dtype.replace(/[<|]/, '') : '');
  return opens(e) ? '' : bytes(e.size);
}

function node(base, e, level) {
  const p = (base ? base + '/' : '') + e.name, below = opens(e);
  const title = e.error || [e.kind, e.dtype, e.size ? bytes(e.size) : '', e.ratio ? 'ratio ' + e.ratio.toFixed(2) : ''].filter(Boolean).join(', ');
  const row = el('a', { class: 'row', href: '/view/' + path(p), tabindex: '-1', title },
    el('span', { class: 'mark', 'aria-hidden': 'true' }, below ? '▸' : ''), el('span', { class: 'name' }, e.name), el('span', { class: e.error ? 'what bad' : 'what' }, what(e)));
  const li = el('li', { role: 'treeitem', 'aria-level': level, 'aria-selected': 'false', 'aria-expanded': below ? 'false' : null, 'data-path': p, 'aria-label': `${e.name}, ${title}` }, row);
  row.addEventListener('click', ev => {
    if (ev.ctrlKey || ev.metaKey || ev.shiftKey) return;
    ev.preventDefault();
    if (below && ev.target.className === 'mark') toggle(li); else go(p);
  });
  return li;
}

async function toggle(li, want) {
  const open = li.getAttribute('aria-expanded') === 'true';
  if (want === open || li.getAttribute('aria-expanded') == null) return;
  li.setAttribute('aria-expanded', String(!open));
  li.querySelector('.mark').textContent = open ? '▸' : '▾';
  li.querySelector('ul')?.remove();
  if (open) return;
  const ul = el('ul', { role: 'group' });
  li.append(ul);
  await fill(ul, li.dataset.path, Number(li.getAttribute('aria-level')) + 1);
}

async function fill(ul, base, level, filter) {
  try {
    const l = await json('/tree/' + path(base) + (filter ? '?filter=' + encodeURIComponent(filter) : ''));
    ul.replaceChildren(...l.entries.map(e => node(base, e, level)));
    if (!l.entries.length) ul.append(el('li', { class: 'what' }, filter ? 'No name contains this.' : 'Empty.'));
    if (l.more) ul.append(el('li', { class: 'what' }, 'More are not listed; filter them.'));
  } catch (e) {
    ul.replaceChildren(el('li', { class: 'bad', role: 'alert' }, e.message));
  }
  mark();
}

// mark marks the file that is shown, and makes the tree reachable with the tab key.
function mark() {
  const rows = [...$('tree').querySelectorAll('[role=treeitem]')];
  let focus = null;
  for (const li of rows) {
    const is = li.dataset.path === shown;
    li.setAttribute('aria-selected', String(is));
    li.firstChild.tabIndex = -1;
    if (is) focus = li;
  }
  (focus || rows[0])?.firstChild.setAttribute('tabindex', '0');
}

// unfold opens the folders that contain a path.
async function unfold(p) {
  const parts = p.split('/');
  for (let i = 1; i < parts.length; i++) {
    const li = $('tree').querySelector(`[data-path="${CSS.escape(parts.slice(0, i).join('/'))}"]`);
    if (!li) return;
    await toggle(li, true);
  }
}

$('tree').addEventListener('keydown', async e => {
  const rows = [...$('tree').querySelectorAll('.row')], i = rows.indexOf(document.activeElement), li = document.activeElement.parentElement;
  if (i < 0) return;
  const to = { ArrowDown: rows[i + 1], ArrowUp: rows[i - 1], Home: rows[0], End: rows.at(-1) }[e.key];
  if (to) to.focus();
  else if (e.key === 'ArrowRight') { if (li.getAttribute('aria-expanded') === 'true') rows[i + 1]?.focus(); else await toggle(li, true); } else if (e.key === 'ArrowLeft') { if (li.getAttribute('aria-expanded') === 'true') await toggle(li, false); else li.parentElement.closest('[role=treeitem]')?.firstChild.focus(); } else return;
  e.preventDefault();
});

let waiting;
$('filter').addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(async () => { await fill($('tree'), '', 1, $('filter').value.trim()); if (!$('filter').value) await unfold(shown); }, 150);
});
$('filter').addEventListener('keydown', e => { if (e.key === 'ArrowDown' || e.key === 'Enter') { $('tree').querySelector('.row')?.focus(); e.preventDefault(); } });

// --- the file ----------------------------------------------------------------

function crumbs(p) {
  const parts = p ? p.split('/') : [];
  $('crumbs').replaceChildren(...parts.flatMap((name, i) => [' / ', el('a', { href: '/view/' + path(parts.slice(0, i + 1).join('/')), onclick: e => { e.preventDefault(); go(parts.slice(0, i + 1).join('/')); } }, name)]));
}

function go(p) {
  history.pushState(null, '', p ? '/view/' + path(p) : '/');
  $('side').classList.remove('open');
  open();
}

let current;
async function open() {
  const p = here(), main = $('main');
  shown = p;
  document.title = (p.split('/').pop() || 'Files') + ' – blosc2';
  crumbs(p);
  mark();
  current?.close?.();
  current = null;
  resume = null;
  source?.close();
  $('live').textContent = '';
  try {
    const info = await json(twin(p));
    if (shown !== p) return;
    if (info.entries) folder(main, info); else if (info.kind === 'file') file(main, info); else current = show(main, info);
    follow(p, info);
  } catch (e) {
    if (shown === p) main.replaceChildren(el('h1', {}, p || 'Files'), el('p', { class: 'bad', role: 'alert' }, e.message));
  }
}

function folder(main, l) {
  const rows = l.entries.map(e => {
    const p = (l.path ? l.path + '/' : '') + e.name;
    return el('tr', {}, el('td', {}, el('a', { href: '/view/' + path(p), onclick: ev => { ev.preventDefault(); go(p); } }, e.name + (opens(e) ? '/' : ''))),
      el('td', {}, e.error ? el('span', { class: 'bad' }, e.error) : e.shape ? times(e.shape) : e.kind), el('td', {}, e.dtype || ''),
      el('td', { class: 'n' }, e.size ? bytes(e.size) : ''), el('td', { class: 'n' }, e.ratio ? e.ratio.toFixed(2) : ''));
  });
  main.replaceChildren(el('h1', {}, l.path || 'Files'), el('table', { class: 'list' }, el('thead', {}, el('tr', {}, ...['Name', 'Shape', 'Type'].map(t => el('th', { scope: 'col' }, t)), ...['Size', 'Ratio'].map(t => el('th', { class: 'n', scope: 'col' }, t)))), el('tbody', {}, ...rows)));
  if (!rows.length) main.append(el('p', { class: 'note' }, 'Empty.'));
  drawn();
}

function file(main, f) {
  drawn();
  main.replaceChildren(el('h1', {}, f.path), el('p', { class: 'facts' }, `${whole(f.size)} bytes. ${f.error}`), el('p', {}, el('a', { href: '/f/' + path(f.path) + '?download', download: '' }, 'Download')));
}

// follow shows what is written to the file from now on. Only a visible page holds a
// connection, because browsers allow few of them.
let resume;
function follow(p, info) {
  resume = null;
  if (!info.watch) return;
  let tag = info.tag;
  resume = () => { listen(p, info, () => tag, t => { tag = t; }); };
  if (!document.hidden) resume();
}

function listen(p, info, get, set) {
  source?.close();
  source = new EventSource('/events/' + path(p));
  source.addEventListener('change', async e => {
    const now = JSON.parse(e.data);
    if (shown !== p) return;
    $('live').textContent = '● live';
    if (now.error || now.tag === get()) return;
    const first = get() === undefined;
    set(now.tag);
    if (first && info.entries) return;
    try {
      const fresh = await json(twin(p));
      if (shown !== p) return;
      if (fresh.entries) { folder($('main'), fresh); if (!$('filter').value) { await fill($('tree'), '', 1); await unfold(p); } } else await current?.update(fresh);
      $('live').textContent = '● updated ' + new Date().toLocaleTimeString();
    } catch { /* the next event shows it */ }
  });
  source.onerror = () => { $('live').textContent = '○ connecting'; };
}

document.addEventListener('visibilitychange', () => { if (document.hidden) source?.close(); else resume?.(); });
addEventListener('pagehide', () => source?.close());

// --- keys and colours --------------------------------------------------------

const dark = matchMedia('(prefers-color-scheme: dark)');
function theme(name) {
  document.documentElement.dataset.theme = name || (dark.matches ? 'dark' : 'light');
  current?.draw();
}
const stored = () => { try { return localStorage.getItem('theme'); } catch { return null; } };
theme(stored());
dark.addEventListener('change', () => theme(stored()));
function flip() {
  const to = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  try { localStorage.setItem('theme', to); } catch { /* the choice is for this page alone */ }
  theme(to);
}

const keys = [['/', 'Filter files'], ['1 … 5', 'Picture, line, table, chunks, metadata'], ['[ ]', 'Previous and next index'], ['← ↑ → ↓', 'Move the cursor'], ['Shift + arrows', 'Move the view'], ['+ − 0', 'Zoom in, zoom out, show all'], ['t', 'Dark or light'], ['?', 'This list'], ['Esc', 'Close it']];
$('keys').append(el('h2', {}, 'Keys'), el('table', {}, ...keys.map(([k, t]) => el('tr', {}, el('td', {}, el('kbd', {}, k)), el('td', {}, t)))), el('form', { method: 'dialog' }, el('button', {}, 'Close')));
$('help').onclick = () => $('keys').showModal();
$('theme').onclick = flip;
$('menu').onclick = () => $('menu').setAttribute('aria-expanded', String($('side').classList.toggle('open')));
document.querySelector('.brand').onclick = e => { e.preventDefault(); go(''); };
document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== 'range') return;
  if (e.key === '/') $('filter').focus();
  else if (e.key === '?') $('keys').showModal();
  else if (e.key === 't') flip();
  else if (!current?.key(e.key)) return;
  e.preventDefault();
});
addEventListener('popstate', open);
let sizing;
addEventListener('resize', () => { clearTimeout(sizing); sizing = setTimeout(() => current?.resized(), 100); });

const begun = open();
await fill($('tree'), '', 1);
await begun;
await unfold(shown);
mark();
