const grouped = new Intl.NumberFormat('en-GB');
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** `12,345` below a hundred thousand, `150K` and `1.2M` above. */
export const formatCount = (count: number): string =>
  count < 100_000 ? grouped.format(count) : compact.format(count);

/** `$0.0042`, `$1.20`. */
export const formatCost = (usd: number): string => `$${usd.toFixed(usd !== 0 && usd < 0.1 ? 4 : 2)}`;

/** A share between 0 and 1 as whole per cent; `<1 %` for what is not nothing. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return '<1 %';
  return `${Math.floor(share * 100)} %`;
}

/** `840 ms`, `3.2 s`, `4 min 05 s`, `2 h 10 min`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${pad(minutes % 60)} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Local `14:03:09`; empty when the instant cannot be read. */
export function formatTime(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':');
}

/** Characters as `812 characters`, `120 k characters`. */
export const formatLength = (length: number): string =>
  `${length < 10_000 ? grouped.format(length) : `${Math.round(length / 1000)} k`} characters`;

/** The part of an id that tells it from its neighbours: UUIDv7 ids of one minute share their beginning. */
export const shortId = (id: string): string => (id.length <= 12 ? id : `…${id.slice(-8)}`);

const pad = (value: number): string => String(value).padStart(2, '0');
