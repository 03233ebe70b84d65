import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const spareRows = 8;

/** Which rows of a fixed height are in sight of their scroller, with some to spare: `from` inclusive, `to` exclusive. */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  rowCount: number,
  rowHeightPx: number,
): { readonly from: number; readonly to: number } {
  const [view, setView] = useState({ top: 0, height: 1200 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller]);
  const first = Math.min(Math.floor(view.top / rowHeightPx), rowCount);
  return {
    from: Math.max(0, first - spareRows),
    to: Math.min(rowCount, first + Math.ceil(view.height / rowHeightPx) + spareRows),
  };
}
