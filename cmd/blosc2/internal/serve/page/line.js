// The line plot: one dimension of an array. Where there are more items than pixels
// the range of each column is drawn, so that no peak is lost.

import { floats, win, json, path, query, latest, short, whole, el, drawn } from './api.js';
import { css, fit, axes, pointers, zoomed, within, stats } from './canvas.js';

export class Line {
  constructor(model, host) {
    this.m = model;
    this.canvas = el('canvas', { role: 'img', tabindex: '0', 'aria-describedby': 'read' });
    host.append(this.canvas);
    this.load = latest(signal => this.fetch(signal));
    this.ask = latest((signal, i) => this.value(signal, i));
    pointers(this.canvas, {
      hover: p => { const i = this.item(p.x); if (i != null) this.point(Math.floor(i)); },
      pan: dx => this.pan(-dx / this.box.w),
      zoom: (p, by) => this.zoom(this.item(p.x), by),
      reset: () => this.set([0, this.n]),
    });
    this.canvas.addEventListener('keydown', e => this.key(e));
    this.canvas.addEventListener('pointerleave', () => { this.cursor = null; this.draw(); });
  }

  get n() { return this.m.info.shape[this.m.state.x]; }
  get zx() { return this.m.state.zx || [0, this.n]; }

  async refresh() { this.resize(); await this.load(); }

  async fetch(signal) {
    const a = Math.max(0, Math.floor(this.zx[0]) - 1), b = Math.min(this.n, Math.ceil(this.zx[1]) + 1);
    const columns = Math.round(this.box.w * Math.min(devicePixelRatio || 1, 2));
    const params = { window: this.m.window([a, b]), ...this.m.params() };
    if (b - a <= 4 * columns) {
      const values = await floats(this.m.path, { ...params, as: 'f8' }, signal);
      this.data = { a, values };
      this.m.figures(stats(values), 'all items shown');
    } else {
      if (b - a > 5e7 && this.key !== this.m.info.tag) await this.preview(signal, a, b, columns, params);
      this.m.busy(true);
      const env = await json('/a/' + path(this.m.path) + query({ ...params, envelope: columns, format: 'json' }), signal);
      this.key = this.m.info.tag;
      this.data = { env };
      const s = stats(env.min.concat(env.max).map(v => v ?? NaN));
      s.n = b - a; s.nan = env.missing;
      s.mean = s.std = undefined;
      this.m.figures(s, 'ranges of columns');
    }
    this.m.busy(false);
    this.draw();
    drawn();
  }

  // preview draws a sample while the envelope of a large array is computed.
  async preview(signal, a, b, columns, params) {
    const step = Math.ceil((b - a) / 300);
    const values = await floats(this.m.path, { ...params, stride: step, as: 'f8' }, signal);
    this.data = { a, values, step };
    this.draw();
  }

  resize() {
    const f = fit(this.canvas);
    this.box = { x: 76, y: 8, w: Math.max(40, f.width - 76 - 14), h: Math.max(40, f.height - 52) };
    return f;
  }

  // bounds returns the range of the values, with a margin.
  bounds() {
    let lo = Infinity, hi = -Infinity;
    const see = v => { if (v != null && Number.isFinite(v)) { lo = Math.min(lo, v); hi = Math.max(hi, v); } };
    if (this.data.env) { this.data.env.min.forEach(see); this.data.env.max.forEach(see); } else this.data.values.forEach(see);
    if (lo > hi) return [0, 1];
    const air = (hi - lo) * .05 || Math.abs(lo) * .1 || .5;
    return [lo - air, hi + air];
  }

  draw() {
    const { g } = this.resize(), { box } = this;
    if (!this.data) return;
    const [x0, x1] = this.zx, [lo, hi] = this.bounds();
    const X = i => box.x + (i - x0 + .5) / (x1 - x0) * box.w, Y = v => box.y + box.h - (v - lo) / (hi - lo) * box.h;
    g.save();
    g.beginPath(); g.rect(box.x, box.y, box.w, box.h); g.clip();
    g.strokeStyle = g.fillStyle = css('--curve');
    g.lineWidth = 1.25;
    if (this.data.env) this.band(g, X, Y); else this.trace(g, X, Y);
    if (this.cursor != null) {
      g.strokeStyle = css('--soft'); g.lineWidth = 1; g.setLineDash([4, 3]);
      g.beginPath(); g.moveTo(X(this.cursor), box.y); g.lineTo(X(this.cursor), box.y + box.h); g.stroke();
    }
    g.restore();
    axes(g, box, { lo: x0, hi: x1, shift: .5, integers: true, name: this.m.axis(this.m.state.x) }, { lo, hi, name: this.m.unit() });
    this.canvas.setAttribute('aria-label', `Line of ${this.m.path}, items ${whole(Math.floor(x0))} to ${whole(Math.ceil(x1))}, values ${short(lo)} to ${short(hi)}`);
  }

  trace(g, X, Y) {
    const { a, values, step = 1 } = this.data;
    g.beginPath();
    let pen = false;
    values.forEach((v, i) => {
      if (!Number.isFinite(v)) { pen = false; return; }
      const x = X(a + i * step), y = Y(v);
      if (pen) g.lineTo(x, y); else g.moveTo(x, y);
      pen = true;
    });
    g.stroke();
    if (step === 1 && this.box.w / (this.zx[1] - this.zx[0]) > 5) values.forEach((v, i) => { if (Number.isFinite(v)) g.fillRect(X(a + i) - 2, Y(v) - 2, 4, 4); });
  }

  band(g, X, Y) {
    const e = this.data.env;
    for (let c = 0; c < e.min.length; c++) {
      if (e.min[c] == null) continue;
      // Whole pixels: parts of them would be paler.
      const from = Math.round(X((c ? e.first + (c - 1) * e.step : e.start) - .5)), to = Math.round(X(e.first + c * e.step - .5));
      const top = Math.round(Y(e.max[c]) - .5), bottom = Math.round(Y(e.min[c]) + .5);
      g.fillRect(from, top, Math.max(to - from, 1), Math.max(bottom - top, 1));
    }
  }

  item(px) {
    const { box } = this;
    if (!box || px < box.x || px >= box.x + box.w) return null;
    return Math.min(this.n - 1e-9, this.zx[0] + (px - box.x) / box.w * (this.zx[1] - this.zx[0]));
  }

  point(i) {
    this.cursor = i;
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(i), 40);
  }

  async value(signal, i) {
    const { state } = this.m, index = state.at.map((n, d) => d === state.x ? i : n);
    const v = await win(this.m.path, { window: index.join(','), strings: true, ...this.m.params() }, signal);
    this.m.read(index, v.data);
  }

  set(z) {
    this.m.state.zx = z[0] <= 0 && z[1] >= this.n ? null : z;
    this.m.save();
    this.draw();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.load(), 30);
  }

  pan(part) { const l = this.zx[1] - this.zx[0]; this.set(within(this.zx.map(v => v + part * l), this.n)); }
  zoom(at, by) { this.set(zoomed(this.zx, at ?? (this.zx[0] + this.zx[1]) / 2, by, this.n, 8)); }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const dir = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (dir && e.shiftKey) this.pan(dir / 4);
    else if (dir) {
      const i = Math.max(0, Math.min(this.n - 1, (this.cursor ?? Math.floor((this.zx[0] + this.zx[1]) / 2) - dir) + dir));
      if (i < this.zx[0] || i >= this.zx[1]) this.pan(dir / 2);
      this.point(i);
    } else if (e.key === '+' || e.key === '=') this.zoom(null, .5);
    else if (e.key === '-') this.zoom(null, 2);
    else if (e.key === '0') this.set([0, this.n]);
    else return;
    e.preventDefault();
  }

  ranges() { return { x: [Math.floor(this.zx[0]), Math.min(this.n, Math.ceil(this.zx[1]))] }; }
}
