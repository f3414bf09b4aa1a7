// The table: rows and columns are fetched when they become visible.

import { win, latest, el, whole, drawn } from './api.js';

const high = 24, page = 200, tallest = 8e6; // browsers limit the height of elements

// wideOf returns the width of a column: what its type takes, and its name.
function wideOf(dtype, name) {
  const type = /\[ns\]/.test(dtype) ? 250 : /\[us\]|timestamp/.test(dtype) ? 230 : /\[(ms|s|m|h)\]/.test(dtype) ? 200 : /^bool|int(8|16)$|^.?[bui][12]$/.test(dtype) ? 90 : name && /int64|float64|^.?[uif]8$|utf8|string|struct|list|object|bytes|ndarray|[SU]\d{2}/.test(dtype) ? 170 : name ? 120 : 110;
  return Math.max(type, Math.min(name.length, 30) * 8 + 18);
}

export class Grid {
  constructor(model, host) {
    this.m = model;
    this.host = el('div', { class: 'grid', role: 'grid', tabindex: '0', 'aria-label': 'Items of ' + model.path });
    this.space = el('div', { class: 'space', role: 'presentation' });
    this.host.append(this.space);
    host.append(this.host);
    this.pages = new Map();
    this.load = latest((signal, want) => this.fetch(signal, want));
    this.host.addEventListener('scroll', () => this.draw());
    this.host.addEventListener('keydown', e => this.key(e));
  }

  // rows along dimension y, columns along x or the fields.
  get byField() { return this.m.info.fields && !this.m.state.field; }
  get flat() { return this.m.info.shape.length < 2 || this.byField; }
  get rowDim() { return this.flat ? this.m.state.x : this.m.state.y; }
  get rows() { return this.m.info.shape.length ? this.m.info.shape[this.rowDim] : 1; }
  get cols() { return this.byField ? this.m.info.fields.length : this.flat ? 1 : this.m.info.shape[this.m.state.x]; }

  async refresh() {
    const key = JSON.stringify([this.m.info.tag, this.m.state.at, this.m.state.x, this.m.state.y, this.m.state.field, this.m.state.part]);
    if (key !== this.shown) { this.pages.clear(); this.shown = key; }
    const atEnd = this.host.scrollTop + this.host.clientHeight >= this.host.scrollHeight - high && this.host.scrollTop > 0;
    this.wide = wideOf(this.m.info.dtype, ''); // width of all columns but those of fields
    this.starts = this.byField && this.m.info.fields.reduce((all, f) => [...all, all.at(-1) + wideOf(f.dtype, f.name)], [0]);
    this.edge = Math.max(60, String(this.rows).length * 8.5 + 16);
    this.full = (this.rows + 1) * high;
    this.space.style.height = Math.min(this.full, tallest) + 'px';
    this.space.style.width = Math.min(this.edge + this.start(this.cols), tallest) + 'px';
    this.host.setAttribute('aria-rowcount', this.rows + 1);
    this.host.setAttribute('aria-colcount', this.cols + 1);
    if (atEnd) this.host.scrollTop = this.host.scrollHeight;
    await this.draw();
  }

  // start returns where a column begins, not counting the column of row numbers.
  start(c) { return this.starts ? this.starts[c] : c * this.wide; }

  // column returns the column at a distance from the left.
  column(x) { return this.starts ? Math.max(0, this.starts.findLastIndex(s => s <= x)) : Math.floor(x / this.wide); }

  // top returns the number of the first visible row, from the position of the
  // scroll bar.
  top() {
    const seen = this.host.clientHeight - high, max = this.host.scrollHeight - this.host.clientHeight;
    if (this.full <= tallest) return Math.floor(this.host.scrollTop / high);
    return max > 0 ? Math.round(this.host.scrollTop / max * (this.rows - Math.floor(seen / high))) : 0;
  }

  async draw() {
    const first = Math.max(0, Math.min(this.top(), this.rows - 1)), last = Math.min(this.rows, first + Math.ceil(this.host.clientHeight / high) + 1);
    const c0 = Math.max(0, Math.min(this.column(this.host.scrollLeft), this.cols - 1)), c1 = Math.min(this.cols, this.column(this.host.scrollLeft + this.host.clientWidth) + 1);
    this.paint(first, last, c0, c1);
    const want = [], p0 = Math.floor(c0 / 20), p1 = Math.floor((c1 - 1) / 20);
    for (let r = Math.floor(first / page); r <= Math.floor((last - 1) / page); r++) for (let c = p0; c <= p1; c++) if (!this.pages.has(r + '/' + c)) want.push([r, c]);
    if (want.length) {
      clearTimeout(this.timer);
      await new Promise(done => { this.timer = setTimeout(done, 30); });
      await this.load(want);
    } else drawn();
  }

  async fetch(signal, want) {
    for (const [r, c] of want) {
      const rows = [r * page, Math.min(this.rows, (r + 1) * page)], cols = [c * 20, Math.min(this.cols, (c + 1) * 20)];
      const window = !this.m.info.shape.length ? '' : this.flat ? this.m.window(rows) : this.m.window(cols, rows);
      const params = this.m.state.field ? { field: this.m.state.field } : {};
      let { data } = await win(this.m.path, { window, strings: true, ...params }, signal);
      if (!this.m.info.shape.length) data = [data];
      if (!this.flat && this.m.state.x < this.m.state.y) data = data[0].map((_, i) => data.map(row => row[i]));
      if (this.pages.size > 400) this.pages.delete(this.pages.keys().next().value);
      this.pages.set(r + '/' + c, data);
    }
    await this.draw();
  }

  cell(r, c) {
    const rows = this.pages.get(Math.floor(r / page) + '/' + Math.floor(c / 20));
    let v = rows?.[r % page];
    if (v === undefined) return '…';
    if (this.byField) v = v[this.m.info.fields[c].name];
    else if (!this.flat) v = v[c % 20];
    return v === null ? 'null' : Array.isArray(v) ? v.flat(9).join(' ') : typeof v === 'object' ? JSON.stringify(v) : v;
  }

  paint(first, last, c0, c1) {
    const cells = [], y0 = this.host.scrollTop, x0 = this.host.scrollLeft;
    const put = (text, x, y, w, role, head, extra) => {
      const e = el('div', { class: head ? 'cell head' : 'cell', role, title: String(text).length > 14 ? text : null, ...extra }, String(text));
      e.style.cssText = `left:${x}px;top:${y}px;width:${w}px`;
      if (head && role !== 'columnheader') e.style.zIndex = 2;
      cells.push(e);
      return e;
    };
    const line = (i, make) => { const from = cells.length; make(); const row = el('div', { role: 'row', 'aria-rowindex': i }, ...cells.splice(from)); cells.push(row); };
    const names = c => this.byField ? this.m.info.fields[c].name : this.flat ? 'value' : whole(c);
    for (let r = first; r < last; r++) {
      const y = this.full <= tallest ? (r + 1) * high : y0 + (r - first + 1) * high;
      line(r + 2, () => {
        for (let c = c0; c < c1; c++) put(this.cell(r, c), this.edge + this.start(c), y, this.start(c + 1) - this.start(c), 'gridcell', false, { 'aria-colindex': c + 2 });
        put(this.m.info.shape.length ? r : '', x0, y, this.edge, 'rowheader', true);
      });
    }
    line(1, () => {
      for (let c = c0; c < c1; c++) put(names(c), this.edge + this.start(c), y0, this.start(c + 1) - this.start(c), 'columnheader', true);
      put('', x0, y0, this.edge, 'columnheader', true).style.zIndex = 3;
    });
    this.space.replaceChildren(...cells);
  }

  key(e) {
    const h = this.host;
    if (e.key === 'End') { h.scrollTop = h.scrollHeight; } else if (e.key === 'Home') { h.scrollTop = 0; } else return;
    e.preventDefault();
  }

  ranges() {
    return this.flat ? { x: [0, this.rows] } : { x: [0, this.cols], y: [0, this.rows] };
  }
}
