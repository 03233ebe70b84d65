import { describe, expect, it } from '@jest/globals';
import { newId } from './new-id.js';

describe('a new id', () => {
  it('is a UUID of version 7', () => {
    expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('sorts after the ids made before it', () => {
    const ids = Array.from({ length: 2000 }, newId);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
