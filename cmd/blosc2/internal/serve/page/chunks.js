// The map of the chunks: which of them compress badly.

import { json, path, el, bytes, whole, short, drawn } from './api.js';
import { palettes, css, fit } from './canvas.js';

export class Chunks {
  constructor(model, host) {
    this.m = model;
    this.canvas = el('canvas', { role: 'img', tabindex: '0', 'aria-describedby': 'read' });
    host.append(this.canvas);
    this.canvas.addEventListener('pointermove', e => {
      const r = this.canvas.getBoundingClientRect();
      this.point(this.at(e.clientX - r.left, e.clientY - r.top));
    });
    this.canvas.addEventListener('keydown', e => {
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.cols, ArrowDown: this.cols }[e.key];
      if (!by || !this.map) return;
      e.preventDefault();
      this.point(Math.max(0, Math.min(this.map.cbytes.length - 1, (this.cursor ?? -by) + by)));
    });
  }

  async refresh() {
    this.map = await json('/chunks/' + path(this.m.path));
    this.table = (await palettes()).cividis;
    this.draw();
    drawn();
  }

  draw() {
    if (!this.map) return;
    const { g, width, height } = fit(this.canvas), { counts, cbytes } = this.map, n = cbytes.length;
    const h = height - 62;
    this.cols = counts.length > 1 ? counts.at(-1) : Math.max(1, Math.ceil(Math.sqrt(n * width / Math.max(h, 1))));
    const rows = Math.ceil(n / this.cols);
    this.size = { w: Math.min(width / this.cols, 90), h: Math.min(h / rows, 90) };
    const share = cbytes.map((c, i) => Math.min(1.05, c / this.whole(i))), lo = Math.min(...[share.reduce((a, b) => Math.min(a, b), 1)]), hi = share.reduce((a, b) => Math.max(a, b), 0);
    const gap = this.size.w > 6 && this.size.h > 6 ? 1 : 0;
    const color = v => { const c = this.table[hi > lo ? Math.round((v - lo) / (hi - lo) * 255) : 128]; return `rgb(${c & 255},${c >> 8 & 255},${c >> 16 & 255})`; };
    share.forEach((v, i) => {
      g.fillStyle = color(v);
      g.fillRect(i % this.cols * this.size.w, Math.floor(i / this.cols) * this.size.h, Math.max(this.size.w - gap, .5), Math.max(this.size.h - gap, .5));
    });
    if (this.cursor != null) {
      g.strokeStyle = css('--bad'); g.lineWidth = 2;
      g.strokeRect(this.cursor % this.cols * this.size.w, Math.floor(this.cursor / this.cols) * this.size.h, this.size.w - gap, this.size.h - gap);
    }
    const y = height - 34, w = Math.min(260, width - 20);
    for (let i = 0; i < w; i++) { g.fillStyle = color(lo + i / w * (hi - lo)); g.fillRect(i, y, 1.5, 12); }
    g.fillStyle = css('--ink'); g.textBaseline = 'top';
    const percent = v => short(Number((v * 100).toPrecision(3))) + ' %';
    g.textAlign = 'left'; g.fillText(percent(lo), 0, y + 16);
    g.textAlign = 'right'; g.fillText(percent(hi), w, y + 16);
    g.textAlign = 'left'; g.fillStyle = css('--soft'); g.fillText('stored bytes, of those of the items in a chunk', 0, y - 16);
    const worst = share.indexOf(hi);
    this.canvas.setAttribute('aria-label', `Map of ${whole(n)} chunks; the largest is chunk ${worst} with ${bytes(cbytes[worst] || 0)} of ${bytes(this.whole(worst))}`);
    if (this.cursor == null && n) this.say(worst, 'largest: ');
  }

  // index returns the position of a chunk along each dimension.
  index(i) {
    const index = [], { counts } = this.map;
    for (let d = counts.length - 1; d >= 0; d--) { index.unshift(i % counts[d]); i = Math.floor(i / counts[d]); }
    return index;
  }

  // whole returns the bytes of the items in a chunk, without the padding at the edges
  // of an array.
  whole(i) {
    const { kind, shape, chunkshape, itemsize } = this.m.info;
    if (!['b2nd', 'zarr'].includes(kind) || i < 0 || this.map.counts.length !== shape.length) return this.map.nbytes;
    return this.index(i).reduce((n, k, d) => n * Math.max(0, Math.min(chunkshape[d], shape[d] - k * chunkshape[d])), itemsize) || 1;
  }

  at(x, y) {
    if (!this.map) return null;
    const c = Math.floor(x / this.size.w), r = Math.floor(y / this.size.h), i = r * this.cols + c;
    return c >= 0 && c < this.cols && r >= 0 && i < this.map.cbytes.length ? i : null;
  }

  point(i) {
    if (i === this.cursor) return;
    this.cursor = i;
    this.draw();
    if (i != null) this.say(i, '');
  }

  say(i, before) {
    const { cbytes } = this.map, nbytes = this.whole(i), index = this.index(i);
    this.m.read(index, `${before}${bytes(cbytes[i])} of ${bytes(nbytes)}, ` + (cbytes[i] ? `ratio ${(nbytes / cbytes[i]).toFixed(2)}` : this.m.info.kind === 'zarr' ? 'not stored' : 'one value, not stored'));
  }
}
