const httpDate = /\{\{httpDate:(-?\d{1,9})\}\}/g;

/** Headers of a scripted error; `{{httpDate:30}}` becomes the HTTP date thirty seconds from `nowMs`. */
export function errorHeaders(
  headers: Readonly<Record<string, string>>,
  nowMs: number,
): Readonly<Record<string, string>> {
  const filled = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    value.replace(httpDate, (_whole, seconds: string) =>
      new Date(nowMs + Number(seconds) * 1000).toUTCString(),
    ),
  ]);
  return Object.fromEntries(filled);
}
