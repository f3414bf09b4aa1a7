// What pictures share: sizes, colours, axes, pointers.

import { ticks, short } from './api.js';

// colors returns the colours of package draw: palettes, and those of lines and of
// missing numbers, light and dark.
let fetched;
export const colors = () => fetched ??= fetch('/page/colors.json').then(r => r.json());

let maps;
export async function palettes() {
  if (!maps) {
    const all = (await colors()).palettes;
    maps = {};
    for (const [name, list] of Object.entries(all)) {
      const stops = list.map(h => [0, 2, 4].map(i => parseInt(h.slice(i, i + 2), 16)));
      const table = new Uint32Array(256);
      for (let i = 0; i < 256; i++) {
        const f = i / 255 * (stops.length - 1), k = Math.min(Math.floor(f), stops.length - 2);
        const [r, g, b] = [0, 1, 2].map(c => Math.round(stops[k][c] * (1 - f + k) + stops[k + 1][c] * (f - k)));
        table[i] = 0xff000000 | b << 16 | g << 8 | r;
      }
      maps[name] = table;
    }
  }
  return maps;
}

export const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// fit sets the size of a canvas to its pixels on the screen, and returns its
// context and size in CSS pixels.
export function fit(canvas) {
  const { width, height } = canvas.getBoundingClientRect(), dpr = devicePixelRatio || 1;
  const w = Math.max(1, Math.round(width * dpr)), h = Math.max(1, Math.round(height * dpr));
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const g = canvas.getContext('2d');
  g.setTransform(dpr, 0, 0, dpr, 0, 0);
  g.clearRect(0, 0, width, height);
  g.font = '12px system-ui, sans-serif';
  return { g, width, height, dpr };
}

// axes draws a frame around a box, with ticks and labels.
export function axes(g, box, x, y) {
  g.strokeStyle = css('--soft');
  g.fillStyle = css('--ink');
  g.lineWidth = 1;
  g.strokeRect(box.x - .5, box.y - .5, box.w + 1, box.h + 1);
  g.textAlign = 'center'; g.textBaseline = 'top';
  let free = -Infinity;
  for (const t of ticks(x.lo, x.hi, Math.max(3, box.w / 80), x.integers)) {
    const at = box.x + (t + (x.shift || 0) - x.lo) / (x.hi - x.lo) * box.w;
    if (at < box.x - 1 || at > box.x + box.w + 1) continue;
    g.beginPath(); g.moveTo(at, box.y + box.h + 1); g.lineTo(at, box.y + box.h + 5); g.stroke();
    const text = short(t), half = g.measureText(text).width / 2;
    if (at - half < free) continue;
    free = at + half + 8;
    g.fillText(text, at, box.y + box.h + 7);
  }
  g.fillStyle = css('--soft');
  g.fillText(x.name, box.x + box.w / 2, box.y + box.h + 23);
  g.save();
  g.translate(12, box.y + box.h / 2); g.rotate(-Math.PI / 2); g.textBaseline = 'middle';
  g.fillText(y.name, 0, 0);
  g.restore();
  g.fillStyle = css('--ink');
  g.textAlign = 'right'; g.textBaseline = 'middle';
  for (const t of ticks(y.lo, y.hi, Math.max(2, box.h / 45), y.integers)) {
    const part = (t + (y.shift || 0) - y.lo) / (y.hi - y.lo);
    const at = y.down ? box.y + part * box.h : box.y + box.h - part * box.h;
    if (at < box.y - 1 || at > box.y + box.h + 1) continue;
    g.beginPath(); g.moveTo(box.x - 1, at); g.lineTo(box.x - 5, at); g.stroke();
    g.fillText(short(t), box.x - 8, at);
  }
}

// pointers calls back for drags, pinches, wheels and moves.
export function pointers(canvas, on) {
  const down = new Map();
  let moved = false;
  const at = e => { const r = canvas.getBoundingClientRect(); return { x: e.clientX - r.left, y: e.clientY - r.top }; };
  const spread = () => { const [a, b] = [...down.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
  canvas.addEventListener('pointerdown', e => { canvas.setPointerCapture(e.pointerId); down.set(e.pointerId, at(e)); moved = false; });
  canvas.addEventListener('pointermove', e => {
    const p = at(e), last = down.get(e.pointerId);
    if (!last) return on.hover(p);
    if (down.size === 2) {
      const before = spread();
      down.set(e.pointerId, p);
      const [a, b] = [...down.values()];
      on.zoom({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, before / Math.max(spread(), 1));
    } else {
      if (Math.hypot(p.x - last.x, p.y - last.y) < 1) return;
      down.set(e.pointerId, p);
      on.pan(p.x - last.x, p.y - last.y, e);
    }
    moved = true;
  });
  const up = e => { if (down.delete(e.pointerId) && !moved) on.hover(at(e)); };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('wheel', e => { e.preventDefault(); on.zoom(at(e), Math.exp(Math.max(-1, Math.min(1, e.deltaY / 300)))); }, { passive: false });
  canvas.addEventListener('dblclick', () => on.reset());
}

// zoomed returns a range zoomed around a position, within 0 and n.
export function zoomed([a, b], at, by, n, least) {
  const len = Math.min(Math.max((b - a) * by, Math.min(least, n)), n);
  const from = at - (at - a) / (b - a) * len;
  return within([from, from + len], n);
}

// within moves a range to lie within 0 and n.
export function within([a, b], n) {
  const len = Math.min(b - a, n), from = Math.max(0, Math.min(a, n - len));
  return [from, from + len];
}

// stats returns figures of numbers, and their histogram.
export function stats(values, lo, hi) {
  const s = { n: values.length, nan: 0, min: Infinity, max: -Infinity, mean: 0, std: 0 };
  let sum = 0, k = 0;
  for (const v of values) {
    if (!Number.isFinite(v)) { s.nan++; continue; }
    if (v < s.min) s.min = v;
    if (v > s.max) s.max = v;
    sum += v; k++;
  }
  s.mean = k ? sum / k : NaN;
  let sq = 0;
  s.lo = lo ?? s.min; s.hi = hi ?? s.max;
  const bins = Math.max(8, Math.min(80, Math.round(2 * Math.sqrt(k))));
  s.bins = new Array(bins).fill(0);
  const width = (s.max - s.min) / bins;
  for (const v of values) if (Number.isFinite(v)) {
    sq += (v - s.mean) ** 2;
    s.bins[width > 0 ? Math.min(bins - 1, Math.floor((v - s.min) / width)) : bins >> 1]++;
  }
  s.std = k ? Math.sqrt(sq / k) : NaN;
  if (!k) s.min = s.max = NaN;
  return s;
}

// histogram draws the bins of stats.
export function histogram(canvas, s, text) {
  const { g, width, height } = fit(canvas);
  const most = Math.max(...s.bins, 1), w = width / s.bins.length;
  g.fillStyle = css('--curve');
  s.bins.forEach((n, i) => {
    const h = n ? Math.max(1, n / most * (height - 18)) : 0;
    g.fillRect(i * w, height - 16 - h, Math.max(1, w - .5), h);
  });
  g.fillStyle = css('--soft');
  g.textBaseline = 'bottom';
  g.textAlign = 'left'; g.fillText(text(s.min, (s.max - s.min) / 4), 0, height);
  g.textAlign = 'right'; g.fillText(text(s.max, (s.max - s.min) / 4), width, height);
}
