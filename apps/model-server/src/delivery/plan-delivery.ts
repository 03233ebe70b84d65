import type { Frame } from '../protocol/protocol.js';
import type { Delivery } from '../scripts/script-schema.js';

/** What goes over the wire and how the connection ends: closed in order, left open and silent, or destroyed. */
export interface DeliveryPlan {
  readonly frames: readonly Frame[];
  readonly end: 'close' | 'hang' | 'cut';
}

/** Applies the misbehaviour of a rule to the frames of a good answer. A cut or hang counts frames from the start. */
export function planDelivery(frames: readonly Frame[], delivery: Delivery): DeliveryPlan {
  const kept = frames.filter(
    (frame) =>
      !(frame.part === 'finish' && delivery.omitFinish === true) &&
      !(frame.part === 'done' && delivery.omitDone === true),
  );
  const { cutAfterChunks, hangAfterChunks } = delivery;
  if (cutAfterChunks !== undefined) return { frames: kept.slice(0, cutAfterChunks), end: 'cut' };
  if (hangAfterChunks !== undefined) return { frames: kept.slice(0, hangAfterChunks), end: 'hang' };
  return { frames: kept, end: 'close' };
}
