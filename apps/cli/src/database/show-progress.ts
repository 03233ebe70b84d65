/** Hears how far long work has come. */
export type ShowProgress = (text: string) => void;

/** One line on the standard error that writes over itself; nothing where that is no terminal. `end` clears it. */
export function progressLine(stream: NodeJS.WriteStream = process.stderr): {
  readonly show: ShowProgress;
  readonly end: () => void;
} {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined };
  return {
    show: (text) => void stream.write(`\r\u001b[K${text}`),
    end: () => void stream.write('\r\u001b[K'),
  };
}
