// Requests to the server.

export class Failure extends Error {
  constructor(text, status) { super(text); this.status = status; }
}

// path returns a path for a URL.
export const path = p => p.split('/').map(encodeURIComponent).join('/');

// query returns the parameters that are not empty, after a question mark.
export function query(o) {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(o)) if (v !== '' && v != null && v !== false) q.set(k, v === true ? '1' : v);
  return '?' + q.toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
}

async function get(url, signal) {
  for (let tries = 0; ; tries++) {
    const r = await fetch(url, { signal, headers: { Accept: 'application/json' } });
    if (r.ok) return r;
    if (r.status === 503 && tries < 5) {
      await new Promise(done => setTimeout(done, 1000 * (Number(r.headers.get('Retry-After')) || 1)));
      signal?.throwIfAborted();
      continue;
    }
    const body = await r.json().catch(() => ({}));
    throw new Failure(body.error || r.statusText, r.status);
  }
}

export const json = async (url, signal) => (await get(url, signal)).json();

// floats returns numbers of a window, as Float32Array or Float64Array.
export async function floats(p, params, signal) {
  const as = params.as || 'f4';
  const r = await get('/a/' + path(p) + query({ ...params, as, format: 'raw' }), signal);
  const b = await r.arrayBuffer();
  return as === 'f4' ? new Float32Array(b) : new Float64Array(b);
}

export const win = (p, params, signal) => json('/a/' + path(p) + query({ ...params, format: 'json' }), signal);

// latest returns a function that runs another one for the latest call only: it aborts
// the signal of the previous call.
export function latest(run) {
  let last;
  return async (...args) => {
    last?.abort();
    const mine = last = new AbortController();
    try {
      return await run(mine.signal, ...args);
    } catch (e) {
      if (e.name !== 'AbortError') throw e;
    }
  };
}

// el makes an element.
export function el(tag, props = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props)) {
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (k === 'class') e.className = v;
    else if (v === true) e.setAttribute(k, '');
    else if (v !== false && v != null) e.setAttribute(k, v);
  }
  e.append(...children.filter(c => c != null));
  return e;
}

export function bytes(n) {
  for (const u of ['B', 'KB', 'MB', 'GB', 'TB']) {
    if (n < 1000 || u === 'TB') return (n < 10 && u !== 'B' ? n.toFixed(1) : Math.round(n)) + ' ' + u;
    n /= 1000;
  }
}

export const whole = n => Number(n).toLocaleString('en-US');
export const times = shape => shape.length ? shape.map(whole).join(' × ') : 'scalar';

// short formats a number for an axis or a legend.
export function short(v) {
  if (v === 0) return '0';
  if (!Number.isFinite(v)) return Number.isNaN(v) ? 'NaN' : v > 0 ? '∞' : '−∞';
  const a = Math.abs(v);
  const s = a >= 1e6 || a < 1e-4 ? v.toExponential(3).replace(/\.?0+e/, 'e') : String(Number(v.toPrecision(5)));
  return s.replace('-', '−').replace('e+', 'e');
}

// clock returns the unit of a type of dates, such as <M8[ms], in seconds and in months;
// the seconds of months and years are averages. It returns null for other types.
export function clock(dtype) {
  const unit = /M8\[(\w+)\]$/.exec(dtype)?.[1], months = { M: 1, Y: 12 }[unit];
  const seconds = months ? months * 2629746 : { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600, D: 86400, W: 604800 }[unit];
  return seconds ? { seconds, months } : null;
}

// moment formats a date of a clock, as precisely as a step needs it.
export function moment(c, v, step) {
  const d = new Date(c.months ? Date.UTC(1970, Math.round(v * c.months)) : v * c.seconds * 1000);
  if (isNaN(d)) return short(v);
  const t = d.toISOString(), s = step * c.seconds;
  const cut = [[365 * 86400, -20], [28 * 86400, -17], [86400, -14], [60, -8], [1, -5]].find(([most]) => s >= most)?.[1] ?? -1;
  return t.slice(0, cut).replace(/\.000$/, '').replace('T', ' ');
}

const spans = [.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 864000];

// dates returns about n ticks of a clock from lo to hi, and the step between them: at
// round times, or where months or years begin.
export function dates(c, lo, hi, n) {
  const want = (hi - lo) * c.seconds / n, span = c.months ? 0 : spans.find(s => s >= want);
  if (span) {
    const step = span / c.seconds, list = [];
    for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi && list.length < 100; k++) list.push(k * step);
    return { list, step };
  }
  let every = c.months || 1;
  for (const m of [1, 3, 6, ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4].map(y => 12 * y)]) if ((every = m) * 2629746 >= want && m % (c.months || 1) === 0) break;
  const list = [], begun = c.months ? lo * c.months : (new Date(lo * c.seconds * 1000).getUTCFullYear() - 1970) * 12;
  for (let k = Math.floor((begun + 23640) / every) * every - 23640; list.length < 100; k += every) { // 23640 months from the year 0 to 1970
    const at = c.months ? k / c.months : Date.UTC(1970, k) / 1000 / c.seconds;
    if (!(at <= hi)) break;
    if (at >= lo) list.push(at);
  }
  return list.length ? { list, step: every * 2629746 / c.seconds } : { list: ticks(lo, hi, n), step: (hi - lo) / n };
}

// ticks returns about n round numbers from lo to hi.
export function ticks(lo, hi, n, integers) {
  if (!(hi > lo)) return [lo];
  let step = 10 ** Math.floor(Math.log10((hi - lo) / n));
  for (const m of [2, 2.5, 2]) if ((hi - lo) / step > n) step *= m;
  if (integers) step = Math.max(1, Math.round(step));
  const out = [];
  for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) out.push(Number((k * step).toPrecision(12)));
  return out;
}

// drawn counts drawings, for tests that wait for one.
export function drawn() {
  const d = document.documentElement.dataset;
  d.shown = Number(d.shown || 0) + 1;
}
