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

// latest returns a function that runs another one for the latest call only: the
// signal of the call before is aborted.
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

// clock returns the seconds of the unit of a type of dates, such as <M8[ms], and 0
// for other types.
export const clock = dtype => ({ ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600, D: 86400, W: 604800 })[/M8\[(\w+)\]$/.exec(dtype)?.[1]] || 0;

// moment formats a time in seconds since 1970, as precisely as a step in seconds
// needs it.
export function moment(s, step) {
  const d = new Date(s * 1000);
  if (isNaN(d)) return short(s);
  const t = d.toISOString();
  return step >= 86400 ? t.slice(0, -14) : t.slice(0, step >= 60 ? -8 : step >= 1 ? -5 : -1).replace('.000', '').replace('T', ' ');
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

// drawn counts what was drawn, for tests that wait for it.
export function drawn() {
  const d = document.documentElement.dataset;
  d.shown = Number(d.shown || 0) + 1;
}
