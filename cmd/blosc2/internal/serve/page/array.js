// The view of an array: what is chosen, and the tabs.

import { json, path, query, el, bytes, whole, times, short, clock, moment } from './api.js';
import { histogram } from './canvas.js';
import { Heat } from './heat.js';
import { Line } from './line.js';
import { Grid } from './grid.js';
import { Chunks } from './chunks.js';
import { metadata, code } from './about.js';

const tabs = { heat: 'Picture', line: 'Line', table: 'Table', chunks: 'Chunks', meta: 'Metadata' };

// initial returns the state from the URL, or a default that suits the array.
function initial(info) {
  const q = new URLSearchParams(location.search), n = info.shape.length;
  const int = (k, usual, top) => { const v = Number(q.get(k) ?? NaN); return Number.isInteger(v) && v >= 0 && v < top ? v : usual; };
  const range = k => { const z = (q.get(k) || '').split(':').map(Number); return z.length === 2 && z[0] >= 0 && z[1] > z[0] ? z : null; };
  const s = {
    v: q.get('v'), x: int('x', Math.max(n - 1, 0), n), y: int('y', Math.max(n - 2, 0), n), at: info.shape.map(() => 0),
    field: q.get('field') || '', part: q.get('part') || 'abs', pal: q.get('pal') || 'viridis', log: q.has('log'), lock: false,
    lo: Number(q.get('lo') ?? 2), hi: Number(q.get('hi') ?? 98), zx: range('zx'), zy: range('zy'), n: int('n', 1, 11) || 1,
  };
  if (s.x === s.y && n > 1) s.y = s.x === n - 1 ? n - 2 : n - 1;
  (q.get('at') || '').split(',').forEach((v, d) => { if (d < n && /^\d+$/.test(v)) s.at[d] = Math.min(Number(v), info.shape[d] - 1); });
  if (!q.has('at')) s.at = info.shape.map(len => Math.floor(len / 2));
  if (!info.fields?.some(f => f.name === s.field) && !(s.field === '*' && s.v === 'line')) s.field = '';
  return s;
}

export function show(main, info) {
  const m = { info, path: info.path, state: initial(info) };
  const s = m.state;
  const numbers = m.info.fields?.filter(f => f.numeric && !/[mM]8/.test(f.dtype)) ?? [];
  const all = () => s.field === '*'; // every numeric field as a line
  const column = () => all() ? { numeric: numbers.length > 0 } : s.field ? m.info.fields.find(f => f.name === s.field) : m.info;
  const table = m.info.kind === 'table';
  const numeric = () => !table && column().numeric;
  const possible = v => v === 'heat' ? numeric() && !all() && m.info.shape.length > 1 && m.info.shape.every(n => n > 0) : v === 'line' ? numeric() && m.info.shape.length > 0 && m.info.shape.every(n => n > 0) : v === 'chunks' ? ['b2nd', 'frame', 'zarr'].includes(m.info.kind) : true;
  const best = () => ['heat', 'line', 'table'].find(possible);
  if (!tabs[s.v] || !possible(s.v)) s.v = best();

  // --- for the views ---
  m.file = () => !/\.(b2z|b2d|b2e|npz)\//.test(m.path) && !['column', 'zarr'].includes(m.info.kind) && !/\.b2d$/.test(m.path);
  m.params = () => ({ field: all() ? '' : s.field, part: column().complex && s.part !== 'abs' ? s.part : '' });
  m.window = (x, y) => m.info.shape.map((_, d) => d === s.x ? x.join(':') : d === s.y && y ? y.join(':') : s.at[d]).join(',');
  m.name = d => m.info.dims?.[d] || '';
  m.axis = d => m.name(d) || (m.info.shape.length > 1 ? 'dimension ' + d : 'item');
  m.unit = () => all() ? 'value' : s.field || (column().complex ? { abs: 'magnitude', angle: 'phase', re: 'real part', im: 'imaginary part' }[s.part] : m.info.quantity || 'value');
  m.clock = () => all() ? null : clock(column().dtype);
  m.text = (v, step = 1) => m.clock() ? moment(m.clock(), v, step) : short(v);
  // lines returns what the line view draws: for each line its name, and the window and
  // the parameters of its request.
  m.lines = () => {
    const at = i => x => m.info.shape.map((_, d) => d === s.x ? x.join(':') : i != null && d === s.y ? i : s.at[d]).join(',');
    if (all()) return numbers.slice(0, 10).map(f => ({ name: f.name, window: at(), params: { field: f.name } }));
    const count = m.info.shape.length > 1 ? Math.min(s.n, m.info.shape[s.y]) : 1;
    if (count < 2) return [{ name: m.unit(), window: at(), params: m.params() }];
    const first = Math.min(s.at[s.y], m.info.shape[s.y] - count);
    return Array.from({ length: count }, (_, i) => ({ name: `${m.axis(s.y)} = ${whole(first + i)}`, window: at(first + i), params: m.params() }));
  };
  m.save = () => {
    const z = r => r && r.map(v => Number(v.toFixed(3))).join(':');
    const many = m.info.shape.length > (s.v === 'line' ? 1 : 2);
    const o = { v: s.v, x: s.x, y: m.info.shape.length > 1 ? s.y : '', at: many ? s.at.join(',') : '', field: s.field, part: s.part === 'abs' ? '' : s.part, pal: s.pal === 'viridis' ? '' : s.pal, log: s.log, lo: s.lo === 2 ? '' : s.lo, hi: s.hi === 98 ? '' : s.hi, zx: z(s.zx), zy: s.v === 'heat' ? z(s.zy) : '', n: s.v === 'line' && s.n > 1 ? s.n : '' };
    clearTimeout(m.saving);
    m.saving = setTimeout(() => history.replaceState(null, '', location.pathname + query(o)), 100);
    links();
  };
  const readout = el('div', { class: 'read', id: 'read', 'aria-live': 'polite' });
  const hint = el('span', { class: 'note' }, 'Wheel or + − to zoom, drag or Shift + arrows to move, double click or 0 for all.');
  readout.append(hint);
  m.read = (index, text) => readout.replaceChildren(el('span', {}, '[', index.map(whole).join(', '), ']'), el('b', { id: 'value' }, String(Array.isArray(text) ? text.join(' ') : typeof text === 'object' ? JSON.stringify(text) : text)));
  m.busy = on => { note.textContent = on ? 'Refining …' : ''; };
  const note = el('span', { class: 'note', role: 'status' });
  const bins = el('canvas', { class: 'hist', role: 'img', 'aria-label': 'Histogram of the values shown' }), list = el('dl', { id: 'stats' });
  m.figures = (f, kind) => {
    m.last = f;
    const rows = [['shown', whole(f.n)], ['not finite', whole(f.nan)], ['minimum', m.text(f.min)], ['maximum', m.text(f.max)], ['mean', f.mean === undefined ? null : m.text(f.mean)], ['deviation', f.std === undefined ? null : short(f.std) + (m.clock() ? ' ' + /\[(\w+)\]$/.exec(column().dtype)[1] : '')], ['from', kind]];
    list.replaceChildren(...rows.filter(r => r[1] != null).flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)]));
    histogram(bins, f, m.text);
  };

  // --- choices ---
  const choice = (label, values, get, set) => {
    const e = el('select', { onchange: () => set(e.value) }, ...values.map(([v, t]) => el('option', { value: v, selected: v === get() }, t)));
    return el('label', {}, label, e);
  };
  const dims = el('div', { class: 'dims' }), bar = el('div', { class: 'bar' }), host = el('div', { class: 'plot' });
  const below = el('div', { class: 'below' }), tabbar = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views' });
  const panel = el('section', { role: 'tabpanel', id: 'panel', 'aria-labelledby': 'tab-' + s.v });
  const downloads = el('div', { class: 'bar', id: 'downloads' }), lines = el('div', { class: 'code' });
  const facts = el('div', { class: 'facts' });
  let view;

  function describe() {
    const i = m.info, stored = ['b2nd', 'frame', 'chunk'].includes(i.kind) || i.kind === 'zarr' && i.cbytes > 0;
    facts.textContent = [i.fields ? `${times(i.shape)} rows, ${i.fields.length} columns` : times(i.shape), i.fields ? '' : i.dtype, stored ? `${bytes(i.nbytes)} in ${bytes(i.cbytes)}` : bytes(i.cbytes || i.nbytes), stored && i.nbytes > i.cbytes / 100 ? 'ratio ' + (i.nbytes / i.cbytes).toFixed(2) : '', stored ? `chunks ${times(i.chunkshape)}` : i.kind, i.kind === 'zarr' ? 'Zarr' : stored ? `blocks ${times(i.blockshape)}` : ''].filter(Boolean).join('  ·  ');
  }

  function controls() {
    const c = [];
    if (m.info.fields && !table) c.push(choice('Field', [['', s.v === 'table' ? 'all' : '–'], ...(s.v === 'line' && numbers.length > 1 ? [['*', 'all numbers']] : []), ...m.info.fields.map(f => [f.name, f.name])], () => s.field, v => { s.field = v; if (!possible(s.v)) s.v = best(); rebuild(); }));
    if (s.v === 'line' && m.info.shape.length > 1 && !all()) {
      const n = el('input', { type: 'number', min: 1, max: 10, value: s.n, 'aria-label': 'Number of lines', onchange: () => { s.n = Math.max(1, Math.min(10, Math.round(Number(n.value)) || 1)); n.value = s.n; rebuild(); } });
      c.push(el('label', {}, 'Lines', n));
    }
    if (['heat', 'line'].includes(s.v)) {
      if (column().complex) c.push(choice('Show', [['abs', 'magnitude'], ['angle', 'phase'], ['re', 'real part'], ['im', 'imaginary part']], () => s.part, v => { s.part = v; reload(); }));
    }
    if (s.v === 'heat') {
      c.push(choice('Palette', ['viridis', 'plasma', 'inferno', 'magma', 'cividis'].map(p => [p, p]), () => s.pal, v => { s.pal = v; reload(); }));
      const pair = (k, label) => { const e = el('input', { type: 'number', min: 0, max: 100, step: 'any', value: s[k], 'aria-label': label, size: 4, onchange: () => { s[k] = Math.max(0, Math.min(100, Number(e.value))); reload(); } }); return e; };
      c.push(el('label', {}, 'Percentiles', pair('lo', 'Lower percentile'), pair('hi', 'Upper percentile')));
      const box = (k, label) => { const e = el('input', { type: 'checkbox', checked: s[k], onchange: () => { s[k] = e.checked; reload(); } }); return el('label', {}, e, label); };
      c.push(box('log', 'Logarithm'), box('lock', 'Keep colours'));
    }
    c.push(note);
    bar.replaceChildren(...c);
    dims.replaceChildren(...(m.info.shape.length > 1 && ['heat', 'line', 'table'].includes(s.v) ? m.info.shape.map((n, d) => dim(n, d)) : []));
  }

  // dim makes the choice for a dimension: an axis, or an index with a slider.
  function dim(n, d) {
    const two = s.v === 'heat' || s.v === 'table' && !(m.info.fields && !s.field) || s.v === 'line' && s.n > 1;
    const role = d === s.x ? 'x' : d === s.y && two ? 'y' : 'i';
    const lines = s.v === 'line';
    const roles = [['x', lines || !two ? 'along' : 'across'], ...(two ? [['y', lines ? 'lines' : 'down']] : []), ['i', 'index']];
    const e = el('select', { 'aria-label': `Dimension ${d}`, onchange: () => axis(d, e.value) }, ...roles.map(([v, t]) => el('option', { value: v, selected: v === role }, t)));
    const parts = [el('span', { class: 'note' }, m.name(d) || 'dim ' + d), e];
    if (role === 'i' || lines && role === 'y') {
      const set = v => { s.at[d] = Math.max(0, Math.min(n - 1, Math.round(v))); slide.value = num.value = s.at[d]; reload(); };
      const slide = el('input', { type: 'range', min: 0, max: Math.max(n - 1, 0), value: s.at[d], 'aria-label': `Index of dimension ${d}`, 'data-dim': d, oninput: () => set(Number(slide.value)) });
      const num = el('input', { type: 'number', min: 0, max: Math.max(n - 1, 0), value: s.at[d], 'aria-label': `Index of dimension ${d} as a number`, onchange: () => set(Number(num.value)) });
      parts.push(slide, num);
    }
    parts.push(el('span', { class: 'len' }, 'of ' + whole(n)));
    return el('div', { class: 'dim' }, ...parts);
  }

  function axis(d, to) {
    const free = keep => m.info.shape.findLastIndex((_, i) => i !== d && i !== keep);
    if (to === 'x') { if (d === s.y) s.y = s.x; s.x = d; } else if (to === 'y') { if (d === s.x) s.x = s.y; s.y = d; } else if (d === s.x) s.x = free(s.y) < 0 ? d : free(s.y); else if (d === s.y) s.y = free(s.x) < 0 ? d : free(s.x);
    s.zx = s.zy = null;
    rebuild();
  }

  function build() {
    tabbar.replaceChildren(...Object.entries(tabs).filter(([v]) => possible(v)).map(([v, t]) => el('button', { role: 'tab', id: 'tab-' + v, 'aria-selected': String(v === s.v), 'aria-controls': 'panel', tabindex: v === s.v ? '0' : '-1', onclick: () => tab(v) }, t)));
    panel.setAttribute('aria-labelledby', 'tab-' + s.v);
    host.replaceChildren();
    controls();
    host.className = s.v === 'meta' ? '' : 'plot';
    readout.hidden = !['heat', 'line', 'chunks'].includes(s.v);
    readout.replaceChildren(hint);
    hint.hidden = s.v === 'chunks';
    hint.textContent = s.v === 'line' ? 'Drag across a part, wheel or + − to zoom, Shift + arrows to move, double click or 0 for all.' : 'Wheel or + − to zoom, drag or Shift + arrows to move, double click or 0 for all.';
    const figures = ['heat', 'line'].includes(s.v);
    below.replaceChildren(...(figures ? [el('div', {}, el('h2', {}, 'Histogram'), bins), el('div', {}, el('h2', {}, 'Values shown'), list)] : []), el('div', {}, el('h2', {}, 'Download what is shown'), downloads), lines);
    if (s.v === 'meta') { view = null; metadata(m, host); } else {
      view = new { heat: Heat, line: Line, table: Grid, chunks: Chunks }[s.v](m, host);
      if (s.v === 'table') host.className = 'plot', host.style.display = 'flex';
      else host.style.display = '';
    }
    links();
  }

  async function reload() { m.save(); try { await view?.refresh(); } catch (e) { fail(e); } }
  async function rebuild() { build(); await reload(); }
  function fail(e) { readout.hidden = false; readout.replaceChildren(el('span', { class: 'bad', role: 'alert' }, e.message)); note.textContent = ''; }
  m.fail = fail;
  function tab(v) {
    if (s.v !== v) { s.v = v; s.zx = s.zy = null; rebuild(); }
    document.getElementById('tab-' + v)?.focus();
  }
  tabbar.addEventListener('keydown', e => {
    const all = [...tabbar.children], i = all.indexOf(document.activeElement), to = { ArrowRight: i + 1, ArrowLeft: i - 1 }[e.key];
    if (to != null && all[to]) { e.preventDefault(); e.stopPropagation(); all[to].click(); }
  });

  // links writes the addresses of what is shown.
  function links() {
    const r = view?.ranges?.() || { x: [0, m.info.shape[s.x] ?? 0], y: m.info.shape.length > 1 ? [0, m.info.shape[s.y]] : undefined };
    m.shownWindow = m.info.shape.length ? m.window(r.x, s.v === 'line' ? undefined : r.y) : '';
    const field = all() ? '' : s.field, url = o => '/a/' + path(m.path) + query({ window: m.shownWindow, field, ...o });
    const a = (format, text, o) => el('a', { href: url({ format, download: true, ...o }), download: '', 'data-format': format }, text);
    const items = table ? [a('csv', 'csv'), a('json', 'json')] : [a('npy', 'npy'), a('csv', 'csv'), a('b2nd', 'b2nd')];
    if (s.v === 'heat') {
      const px = Math.max(1, Math.ceil((r.x[1] - r.x[0]) / 1500)), py = Math.max(1, Math.ceil((r.y[1] - r.y[0]) / 1500));
      const look = { stride: px * py > 1 ? (s.x > s.y ? [py, px] : [px, py]).join(',') : '', palette: s.pal, stretch: `${s.lo},${s.hi}`, log: s.log, part: m.params().part };
      items.push(a('png', 'png', look), a('svg', 'svg with axes', look));
    }
    if (s.v === 'line' && s.n < 2 && !all()) items.push(a('png', 'png', { size: '1200x600', part: m.params().part }), a('svg', 'svg', { part: m.params().part }));
    if (m.file()) items.push(el('a', { href: '/f/' + path(m.path) + '?download', download: '' }, 'whole file'));
    downloads.replaceChildren(...items);
    code(m, lines, new URL(url({ format: table ? 'csv' : 'npy' }), location.href).href);
  }

  describe();
  main.replaceChildren(el('h1', {}, info.path), facts, tabbar, panel);
  panel.append(dims, bar, host, readout, below);
  panel.style.cssText = 'display:flex;flex-direction:column;gap:10px;flex:1';
  build();
  reload();

  return {
    draw: () => { view?.draw?.(); if (m.last) histogram(bins, m.last, m.text); },
    resized: () => reload(),
    close: () => { clearTimeout(m.saving); view?.close?.(); },
    key(k) {
      const n = Number(k);
      if (n >= 1 && n <= 5) { const v = Object.keys(tabs)[n - 1]; if (possible(v)) tab(v); return true; }
      if (k === '[' || k === ']') { const slide = dims.querySelector('input[type=range]'); if (slide) { slide.value = Number(slide.value) + (k === ']' ? 1 : -1); slide.dispatchEvent(new Event('input')); } return true; }
      return false;
    },
    async update(fresh) {
      if (fresh.shape.length !== m.info.shape.length || fresh.dtype !== m.info.dtype) { location.reload(); return; }
      for (const [z, d] of [['zx', s.x], ['zy', s.y]]) { // a view of the end stays at the end
        const r = s[z], grown = fresh.shape[d] - m.info.shape[d];
        if (r && grown > 0 && r[1] >= m.info.shape[d] - 1) s[z] = [r[0] + grown, r[1] + grown];
      }
      m.info = fresh;
      describe();
      links();
      await reload();
    },
  };
}
