// The line plot, drawn by uPlot: one dimension of an array, for one index or several,
// or for several fields. Where there are more items than pixels the range of each
// column is drawn, so that no peak is lost.

import { floats, win, json, path, query, latest, whole, dates, el, drawn } from './api.js';
import { css, colors, pointers, zoomed, within, stats } from './canvas.js';

let uPlot; // loaded when the first line is shown

const steps = []; // steps between ticks, which are whole numbers
for (let k = 1; k < 1e16; k *= 10) steps.push(k, 2 * k, 5 * k);

export class Line {
  constructor(model, host) {
    this.m = model;
    this.box = el('div', { class: 'lines', role: 'img', tabindex: '0', 'aria-describedby': 'read' });
    host.append(this.box);
    this.load = latest(signal => this.fetch(signal));
    this.ask = latest((signal, i) => this.value(signal, i));
    this.box.addEventListener('keydown', e => this.key(e));
  }

  get n() { return this.m.info.shape[this.m.state.x]; }
  get zx() { return this.m.state.zx || [0, this.n]; }
  get width() { return Math.max(80, this.box.clientWidth - 90); } // approximate width of the plot

  async refresh() {
    uPlot ??= (await import('./uplot.js')).default;
    this.series = (await colors()).series;
    await this.load();
  }

  async fetch(signal) {
    const a = Math.max(0, Math.floor(this.zx[0]) - 1), b = Math.min(this.n, Math.ceil(this.zx[1]) + 1);
    const columns = Math.round(this.width * Math.min(devicePixelRatio || 1, 2)), lines = this.m.lines();
    const each = get => Promise.all(lines.map(l => get({ window: l.window([a, b]), ...l.params })));
    if (b - a <= 4 * columns) {
      const all = await each(p => floats(this.m.path, { ...p, as: 'f8' }, signal));
      this.items(lines, a, 1, all);
      this.m.figures(stats(all.length > 1 ? all.flatMap(v => [...v]) : all[0]), 'all items shown');
    } else {
      if (b - a > 5e7 && this.tag !== this.m.info.tag) { // a sample, while the envelope of a large array is computed
        const step = Math.ceil((b - a) / 300);
        this.items(lines, a, step, await each(p => floats(this.m.path, { ...p, stride: step, as: 'f8' }, signal)));
        this.make();
      }
      this.m.busy(true);
      const all = await each(p => json('/a/' + path(this.m.path) + query({ ...p, envelope: columns, format: 'json' }), signal));
      this.tag = this.m.info.tag;
      this.envelopes(lines, all);
      const s = stats(all.flatMap(e => e.min.concat(e.max)).map(v => v ?? NaN));
      s.n = (b - a) * all.length; s.nan = all.reduce((sum, e) => sum + e.missing, 0);
      s.mean = s.std = undefined;
      this.m.figures(s, 'ranges of columns');
    }
    this.m.busy(false);
    this.make();
    drawn();
  }

  // items sets the data to every step-th item of each line.
  items(lines, a, step, all) {
    const x = Array.from(all[0], (_, i) => a + i * step);
    this.data = [x, ...all.map(values => Array.from(values, v => Number.isFinite(v) ? v : null))];
    this.names = lines.map(l => l.name);
    this.bands = false;
  }

  // envelopes sets the data to the envelope of each line.
  envelopes(lines, all) {
    const e = all[0], from = c => c ? e.first + (c - 1) * e.step : e.start;
    const x = e.min.map((_, c) => (from(c) + Math.min(e.first + c * e.step, e.stop) - 1) / 2);
    this.data = [x, ...all.flatMap(e => [e.min, e.max])];
    this.names = lines.map(l => l.name);
    this.bands = true;
  }

  // make draws the data again.
  make() {
    if (!this.data) return;
    const focus = document.activeElement === this.box, several = this.names.length > 1;
    this.plot?.destroy();
    const ink = css('--ink'), soft = css('--soft'), grid = { stroke: css('--line'), width: 1 }, font = '12px system-ui, sans-serif';
    const axis = { stroke: ink, grid, ticks: { stroke: soft, width: 1, size: 5 }, font, labelFont: font, labelSize: 20 };
    const theme = this.series[document.documentElement.dataset.theme] || this.series.light;
    const series = [{}], bands = [];
    this.names.forEach((name, i) => {
      const stroke = theme[i % theme.length], s = { label: name, stroke, width: 1.25, spanGaps: false };
      if (!this.bands) { series.push(s); return; }
      bands.push({ series: [series.length + 1, series.length], fill: stroke });
      series.push({ ...s, points: { show: false } }, { ...s, points: { show: false }, class: 'upper' });
    });
    const unit = this.m.unit(), clock = this.m.clock();
    this.plot = new uPlot({
      width: this.box.clientWidth, height: this.box.clientHeight, series, bands, padding: [10, 16, 0, 0],
      legend: { show: several, live: false },
      cursor: { y: false, points: { show: !this.bands }, drag: { x: true, y: false, setScale: false } },
      scales: { x: { time: false, range: () => this.seen() }, y: { range: (_, lo, hi) => this.margins(lo, hi) } },
      axes: [
        { ...axis, incrs: steps, space: 80, values: (_, list) => list.map(v => whole(v)), label: this.m.axis(this.m.state.x), size: 32 },
        { ...axis, ...(clock ? { splits: (u, _, lo, hi) => this.dates(clock, lo, hi, u.height) } : {}), values: (_, list, __, ___, step) => list.map(v => v == null ? '' : this.m.text(v, clock ? this.step : step)), label: unit, size: (u, list) => 14 + 7 * Math.max(4, ...(list || []).map(t => t.length)) },
      ],
      hooks: {
        setSelect: [u => { if (u.select.width > 3) { this.set([u.posToVal(u.select.left, 'x') + .5, u.posToVal(u.select.left + u.select.width, 'x') + .5]); u.setSelect({ width: 0, height: 0 }, false); } }],
        setSeries: [(u, i, o) => { if (this.bands && o.show != null && i % 2 === 1 && u.series[i + 1].show !== o.show) u.setSeries(i + 1, o, false); }],
      },
    }, this.data, this.box);
    const made = this.plot;
    if (several) queueMicrotask(() => made === this.plot && made.setSize({ width: made.width, height: this.box.clientHeight - made.root.querySelector('.u-legend').offsetHeight - 4 })); // once it has been drawn
    pointers(this.plot.over, {
      hover: p => this.point(this.item(p.x)),
      pan: (dx, _, e) => { if (e.pointerType !== 'mouse') this.pan(-dx / this.plot.over.clientWidth); },
      zoom: (p, by) => this.zoom(this.item(p.x) + .5, by),
      reset: () => this.set([0, this.n]),
    });
    this.plot.ctx.canvas.setAttribute('aria-hidden', 'true');
    this.plot.ctx.canvas.setAttribute('aria-label', 'Lines');
    this.describe();
    if (focus) this.box.focus();
  }

  // dates returns the ticks of an axis of dates, and sets the step of their labels.
  dates(clock, lo, hi, height) {
    const { list, step } = dates(clock, lo, hi, Math.max(2, height / 60));
    this.step = step;
    return list;
  }

  describe() {
    const y = this.plot.scales.y, [x0, x1] = this.zx;
    this.box.setAttribute('aria-label', `Lines of ${this.m.path}, items ${whole(Math.floor(x0))} to ${whole(Math.ceil(x1))}, values ${this.m.text(y.min)} to ${this.m.text(y.max)}`);
  }

  draw() { this.make(); }
  close() { this.plot?.destroy(); this.plot = null; }

  // seen returns the range of the axis: items have a width.
  seen() { return [this.zx[0] - .5, this.zx[1] - .5]; }

  margins(lo, hi) {
    if (lo == null) return [0, 1];
    const air = (hi - lo) * .05 || Math.abs(lo) * .1 || .5;
    return [lo - air, hi + air];
  }

  // item returns the item at a distance from the left of the plot.
  item(px) { return Math.max(0, Math.min(this.n - 1, Math.round(this.plot.posToVal(px, 'x')))); }

  point(i) {
    this.cursor = i;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(i), 40);
  }

  async value(signal, i) {
    const lines = this.m.lines(), index = this.m.state.at.map((n, d) => d === this.m.state.x ? i : n);
    const all = await Promise.all(lines.map(l => win(this.m.path, { window: l.window([i, i + 1]), strings: true, ...l.params }, signal)));
    this.m.read(index, all.map((v, k) => (lines.length > 1 ? lines[k].name + ' ' : '') + [v.data].flat(9).join(' ')).join(' · '));
  }

  set(z) {
    z = within(z, this.n);
    this.m.state.zx = z[0] <= 0 && z[1] >= this.n ? null : z;
    this.m.save();
    const [min, max] = this.seen();
    this.plot?.setScale('x', { min, max });
    clearTimeout(this.later);
    this.later = setTimeout(() => this.load().catch(e => this.m.fail(e)), 30);
  }

  pan(part) { const l = this.zx[1] - this.zx[0]; this.set(this.zx.map(v => v + part * l)); }
  zoom(at, by) { this.set(zoomed(this.zx, at ?? (this.zx[0] + this.zx[1]) / 2, by, this.n, 8)); }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const dir = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (dir && e.shiftKey) this.pan(dir / 4);
    else if (dir) {
      const i = Math.max(0, Math.min(this.n - 1, (this.cursor ?? Math.floor((this.zx[0] + this.zx[1]) / 2) - dir) + dir));
      if (i < this.zx[0] || i >= this.zx[1]) this.pan(dir / 2);
      this.plot?.setCursor({ left: this.plot.valToPos(i, 'x'), top: 1 });
      this.point(i);
    } else if (e.key === '+' || e.key === '=') this.zoom(null, .5);
    else if (e.key === '-') this.zoom(null, 2);
    else if (e.key === '0') this.set([0, this.n]);
    else return;
    e.preventDefault();
  }

  ranges() { return { x: [Math.floor(this.zx[0]), Math.min(this.n, Math.ceil(this.zx[1]))] }; }
}
