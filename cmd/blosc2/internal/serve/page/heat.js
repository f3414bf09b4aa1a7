// The heat map: two dimensions of an array, at the resolution of the screen.

import { floats, win, latest, short, ticks, dates, el, drawn } from './api.js';
import { palettes, css, fit, axes, pointers, zoomed, within, stats } from './canvas.js';

const quick = 48 << 20, most = 1536 << 20; // bytes to decode for the first picture and for the final one

// touched returns how many blocks of a dimension hold samples.
function touched(from, to, step, block) {
  const n = Math.ceil((to - from) / step);
  return step >= block ? n : Math.floor((from + (n - 1) * step) / block) - Math.floor(from / block) + 1;
}

export class Heat {
  constructor(model, host) {
    this.m = model;
    this.canvas = el('canvas', { role: 'img', tabindex: '0', 'aria-describedby': 'read' });
    host.append(this.canvas);
    this.samples = null;
    this.cursor = null;
    this.load = latest((signal, budget) => this.fetch(signal, budget));
    this.ask = latest((signal, i, j) => this.value(signal, i, j));
    pointers(this.canvas, {
      hover: p => { const c = this.item(p); if (c) this.point(c.x, c.y); },
      pan: (dx, dy) => this.pan(-dx / this.box.w, -dy / this.box.h),
      zoom: (p, by) => this.zoom(p, by),
      reset: () => this.reset(),
    });
    this.canvas.addEventListener('keydown', e => this.key(e));
    this.canvas.addEventListener('pointerleave', () => { this.cursor = null; this.draw(); });
  }

  get nx() { return this.m.info.shape[this.m.state.x]; }
  get ny() { return this.m.info.shape[this.m.state.y]; }
  get zx() { return this.m.state.zx || [0, this.nx]; }
  get zy() { return this.m.state.zy || [0, this.ny]; }

  // plan chooses steps so that there is about a sample for each pixel, and no more
  // than budget bytes are decoded.
  plan(budget) {
    const { info, state } = this.m, dpr = devicePixelRatio || 1;
    const step = ([a, b], px) => 2 ** Math.max(0, Math.floor(Math.log2((b - a) / px)));
    const p = { sx: step(this.zx, this.box.w * dpr), sy: step(this.zy, this.box.h * dpr) };
    const block = info.blockshape.reduce((a, b) => a * b, 1) * info.itemsize;
    for (;;) {
      p.x0 = Math.floor(this.zx[0] / p.sx) * p.sx; p.x1 = Math.min(this.nx, Math.ceil(this.zx[1] / p.sx) * p.sx);
      p.y0 = Math.floor(this.zy[0] / p.sy) * p.sy; p.y1 = Math.min(this.ny, Math.ceil(this.zy[1] / p.sy) * p.sy);
      const tx = touched(p.x0, p.x1, p.sx, info.blockshape[state.x]), ty = touched(p.y0, p.y1, p.sy, info.blockshape[state.y]);
      p.cost = tx * ty * block;
      if (p.cost <= budget || tx * ty <= 64) return p;
      // Fewer blocks are decoded only where a step is longer than a block.
      if (p.sx < info.blockshape[state.x] && p.sx * 8 > info.blockshape[state.x] || ty < tx) p.sx *= 2; else p.sy *= 2;
    }
  }

  async refresh() {
    this.resize();
    await this.load(quick);
  }

  async fetch(signal, budget) {
    const all = await palettes();
    this.table = all[this.m.state.pal] || all.viridis;
    for (const b of [budget, most]) {
      const p = this.plan(b), { state } = this.m;
      const key = JSON.stringify([this.m.info.tag, p, state.x, state.y, state.at, state.field, state.part]);
      if (key !== this.samples?.key) {
        if (b === most) { this.coarse = true; this.m.busy(true); }
        const stride = state.x > state.y ? [p.sy, p.sx] : [p.sx, p.sy];
        const values = await floats(this.m.path, {
          window: this.m.window([p.x0, p.x1], [p.y0, p.y1]), stride: stride.join(','), ...this.m.params(),
        }, signal);
        this.samples = { ...p, values, key, cols: Math.ceil((p.x1 - p.x0) / p.sx), rows: Math.ceil((p.y1 - p.y0) / p.sy), turned: state.x < state.y };
        this.image = null;
        this.figures = stats(values);
        this.m.figures(this.figures, p.sx * p.sy > 1 ? `sample of every ${p.sy} × ${p.sx} items` : 'all items shown');
      }
      this.m.busy(false);
      this.paint();
      this.draw();
      drawn();
      if (this.plan(most).cost === p.cost) break;
    }
    document.documentElement.dataset.final = document.documentElement.dataset.shown;
  }

  // limits returns the values of the first and the last colour.
  limits() {
    const { state } = this.m, { values } = this.samples;
    if (state.lock && this.fixed) return this.fixed;
    const step = Math.max(1, Math.floor(values.length / 40000)), sample = [];
    for (let i = 0; i < values.length; i += step) {
      const v = state.log ? Math.log10(values[i]) : values[i];
      if (Number.isFinite(v)) sample.push(v);
    }
    sample.sort((a, b) => a - b);
    const at = p => sample[Math.round(p / 100 * (sample.length - 1))];
    let lo = at(state.lo), hi = at(state.hi);
    if (lo === hi) { lo = sample[0]; hi = sample.at(-1); }
    return this.fixed = sample.length ? [lo, hi] : [0, 1];
  }

  // paint makes the picture of the samples.
  paint() {
    const s = this.samples, { log } = this.m.state;
    [this.lo, this.hi] = this.limits();
    const scale = this.hi > this.lo ? 255 / (this.hi - this.lo) : 0;
    const data = new ImageData(s.cols, s.rows), px = new Uint32Array(data.data.buffer);
    const missing = 0xff000000 | parseInt(css('--missing').slice(5, 7) + css('--missing').slice(3, 5) + css('--missing').slice(1, 3), 16);
    for (let r = 0, i = 0; r < s.rows; r++) for (let c = 0; c < s.cols; c++, i++) {
      let v = s.values[s.turned ? c * s.rows + r : i];
      if (log) v = Math.log10(v);
      px[i] = v - v !== 0 ? missing : this.table[scale ? Math.max(0, Math.min(255, Math.round((v - this.lo) * scale))) : 128];
    }
    this.image = new OffscreenCanvas(s.cols, s.rows);
    this.image.getContext('2d').putImageData(data, 0, 0);
  }

  resize() {
    const f = fit(this.canvas);
    const right = this.m.clock() ? 126 : 86; // width of the colours and their labels
    this.box = { x: 70, y: 8, w: Math.max(40, f.width - 70 - right), h: Math.max(40, f.height - 52) };
    return f;
  }

  draw() {
    const { g } = this.resize(), { box } = this, s = this.samples, { state } = this.m;
    const [x0, x1] = this.zx, [y0, y1] = this.zy;
    if (this.image) {
      g.save();
      g.beginPath(); g.rect(box.x, box.y, box.w, box.h); g.clip();
      g.imageSmoothingEnabled = false;
      const kx = box.w / (x1 - x0), ky = box.h / (y1 - y0);
      g.drawImage(this.image, box.x + (s.x0 - x0) * kx, box.y + (s.y0 - y0) * ky, s.cols * s.sx * kx, s.rows * s.sy * ky);
      if (this.cursor) {
        const { x, y } = this.cursor;
        g.strokeStyle = '#fff'; g.lineWidth = 3;
        for (const stroke of ['#000', '#fff']) {
          g.strokeStyle = stroke; g.lineWidth = stroke === '#000' ? 3 : 1;
          g.strokeRect(box.x + (x - x0) * kx - 1, box.y + (y - y0) * ky - 1, Math.max(kx, 3) + 2, Math.max(ky, 3) + 2);
        }
      }
      g.restore();
    }
    axes(g, box, { lo: x0, hi: x1, shift: .5, integers: true, name: this.m.axis(state.x) }, { lo: y0, hi: y1, shift: .5, integers: true, down: true, name: this.m.axis(state.y) });
    if (this.image) this.scale(g);
    this.canvas.setAttribute('aria-label', `Heat map of ${this.m.path}: dimension ${state.y}, items ${Math.floor(y0)} to ${Math.ceil(y1)}, downwards; dimension ${state.x}, items ${Math.floor(x0)} to ${Math.ceil(x1)}, across`);
  }

  // scale draws the colours with their values.
  scale(g) {
    const x = this.box.x + this.box.w + 14, { y, h } = this.box, nan = this.figures.nan > 0, top = nan ? h - 24 : h;
    for (let i = 0; i < top; i++) {
      const c = this.table[Math.round((1 - i / top) * 255)];
      g.fillStyle = `rgb(${c & 255},${c >> 8 & 255},${c >> 16 & 255})`;
      g.fillRect(x, y + i, 14, 1.5);
    }
    g.strokeStyle = g.fillStyle = css('--soft');
    g.lineWidth = 1;
    g.strokeRect(x - .5, y - .5, 15, top + 1);
    g.fillStyle = css('--ink');
    g.textAlign = 'left'; g.textBaseline = 'middle';
    const n = Math.max(2, top / 50), clock = this.m.clock();
    const { list, step } = clock && !this.m.state.log && this.hi > this.lo ? dates(clock, this.lo, this.hi, n) : { list: ticks(this.lo, this.hi, n) };
    for (const t of list) {
      const at = y + top - (this.hi > this.lo ? (t - this.lo) / (this.hi - this.lo) : .5) * top;
      g.fillRect(x + 15, at - .5, 4, 1);
      g.fillText(this.m.state.log ? short(Number((10 ** t).toPrecision(3))) : step ? this.m.text(t, step) : short(t), x + 22, at);
    }
    if (nan) {
      g.fillStyle = css('--missing'); g.fillRect(x, y + h - 14, 14, 14);
      g.fillStyle = css('--ink'); g.fillText('NaN', x + 22, y + h - 7);
    }
  }

  item(p) {
    const { box } = this;
    const x = this.zx[0] + (p.x - box.x) / box.w * (this.zx[1] - this.zx[0]), y = this.zy[0] + (p.y - box.y) / box.h * (this.zy[1] - this.zy[0]);
    if (p.x < box.x || p.y < box.y || p.x >= box.x + box.w || p.y >= box.y + box.h) return null;
    return { x: Math.min(this.nx - 1, Math.floor(x)), y: Math.min(this.ny - 1, Math.floor(y)), fx: x, fy: y };
  }

  point(x, y) {
    this.cursor = { x, y };
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(x, y), 40);
  }

  async value(signal, x, y) {
    const { state } = this.m;
    const index = state.at.map((n, d) => d === state.x ? x : d === state.y ? y : n);
    const v = await win(this.m.path, { window: index.join(','), strings: true, ...this.m.params() }, signal);
    this.m.read(index, v.data);
  }

  changed() { this.m.save(); this.draw(); clearTimeout(this.later); this.later = setTimeout(() => this.load(quick), 30); }

  set(zx, zy) {
    const full = (z, n) => z[0] <= 0 && z[1] >= n ? null : z;
    this.m.state.zx = full(zx, this.nx); this.m.state.zy = full(zy, this.ny);
    this.changed();
  }

  pan(dx, dy) {
    const lx = this.zx[1] - this.zx[0], ly = this.zy[1] - this.zy[0];
    this.set(within(this.zx.map(v => v + dx * lx), this.nx), within(this.zy.map(v => v + dy * ly), this.ny));
  }

  zoom(p, by) {
    const at = (p && this.item(p)) || { fx: (this.zx[0] + this.zx[1]) / 2, fy: (this.zy[0] + this.zy[1]) / 2 };
    this.set(zoomed(this.zx, at.fx, by, this.nx, 4), zoomed(this.zy, at.fy, by, this.ny, 4));
  }

  reset() { this.set([0, this.nx], [0, this.ny]); }

  // key moves the cursor with arrows, the view with shift.
  key(e) {
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (move && e.shiftKey) this.pan(move[0] / 4, move[1] / 4);
    else if (move) {
      const [x0, x1] = this.zx, [y0, y1] = this.zy;
      const c = this.cursor || { x: Math.floor((x0 + x1) / 2) - move[0], y: Math.floor((y0 + y1) / 2) - move[1] };
      const x = Math.max(0, Math.min(this.nx - 1, c.x + move[0])), y = Math.max(0, Math.min(this.ny - 1, c.y + move[1]));
      if (x < x0 || x >= x1 || y < y0 || y >= y1) this.pan(move[0] / 2, move[1] / 2);
      this.point(x, y);
    } else if (e.key === '+' || e.key === '=') this.zoom(null, .5);
    else if (e.key === '-') this.zoom(null, 2);
    else if (e.key === '0') this.reset();
    else return;
    e.preventDefault();
  }

  ranges() { return { x: this.zx.map(Math.round), y: this.zy.map(Math.round) }; }
}
