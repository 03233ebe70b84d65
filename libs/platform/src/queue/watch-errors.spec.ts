import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { QueueFault } from './queue-backend.js';
import { watchErrors } from './watch-errors.js';

describe('watchErrors', () => {
  it('[Q16] an error event reaches the reporter with its source instead of ending the process', () => {
    const faults: QueueFault[] = [];
    const emitter = watchErrors(new EventEmitter(), 'queue jobs', (fault) => faults.push(fault));
    const error = new Error('gone');
    emitter.emit('error', error);
    expect(faults).toEqual([{ source: 'queue jobs', error }]);
  });

  it('[Q16] a reporter that throws does not end the process either', () => {
    const emitter = watchErrors(new EventEmitter(), 'queue jobs', () => {
      throw new Error('reporter broken');
    });
    expect(() => emitter.emit('error', new Error('gone'))).not.toThrow();
  });
});
