import type { EventEmitter } from 'node:events';
import type { QueueFault } from './queue-backend.js';

/** Where connection troubles go. It must not throw; if it does, the throw is dropped. */
export type FaultReport = (fault: QueueFault) => void;

/**
 * Gives an emitter its `error` listener and returns it. Node ends the process on an `error` event that nobody listens to
 * (field case Q16), so each queue, worker, pool and client passes through here.
 */
export function watchErrors<T extends Pick<EventEmitter, 'on'>>(
  emitter: T,
  source: string,
  report: FaultReport,
): T {
  emitter.on('error', (error: unknown) => {
    try {
      report({ source, error });
    } catch {
      // A reporter that throws inside an error event would be the very crash this listener prevents.
    }
  });
  return emitter;
}
