/** Runs a piece of work at once and then at most once an interval; a call in between runs at its end. Never two at a time. */
export function throttled(work: () => Promise<void>, intervalMs: number): () => void {
  let isBusy = false;
  let isAsked = false;
  const run = async (): Promise<void> => {
    isBusy = true;
    isAsked = false;
    await work();
    setTimeout(() => {
      isBusy = false;
      if (isAsked) void run();
    }, intervalMs);
  };
  return () => {
    if (isBusy) isAsked = true;
    else void run();
  };
}
