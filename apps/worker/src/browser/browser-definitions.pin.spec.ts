import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { BROWSER_PROXY_BUILD_TOOLS, BROWSER_PROXY_READ_ONLY_TOOLS } from '#policy';
import { compileSchema } from '../tools/compile-schema.js';
import { SMALLEST_CAP } from '../tools/output-cap.js';
import { validateArguments } from '../tools/validate-arguments.js';
import { browserDefinitions } from './browser-definitions.js';

const all = Object.values(browserDefinitions);
const sorted = (names: readonly string[]): readonly string[] => [...names].sort();

describe('the browser tools', () => {
  it('are the eight of the policy constants, and the three that policy calls read-only are', () => {
    expect(sorted(all.map(({ name }) => name))).toEqual(sorted(BROWSER_PROXY_BUILD_TOOLS));
    const readers = all.filter(({ readOnly }) => readOnly).map(({ name }) => name);
    expect(sorted(readers)).toEqual(sorted(BROWSER_PROXY_READ_ONLY_TOOLS));
  });

  it('[C01] none that acts on a page may be run again after a crash', () =>
    expect(all.filter(({ idempotent }) => !idempotent).map(({ name }) => name)).toEqual([
      'browser_goto',
      'browser_eval',
      'browser_fill',
      'browser_click',
    ]));

  it.each(all)('$name has a closed schema that compiles, and a cap that holds a marker', (tool) => {
    expect(compileSchema(tool.parameters).ok).toBe(true);
    expect(JSON.parse(tool.parameters)).toMatchObject({ type: 'object', additionalProperties: false });
    expect(validateArguments(tool.parameters, '{"no":1}').ok).toBe(false);
    expect(tool.outputCap).toBeGreaterThanOrEqual(SMALLEST_CAP);
  });

  it('are declared in the same bytes as before: a changed byte breaks the cache of every conversation', () => {
    const bytes = all.map((tool) => `${tool.name}\n${tool.description}\n${tool.parameters}\n`).join('');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      'b35e2a1d7bfef7dd881831782f75193cc97bc1aac3fadad421944b3d34f753f5',
    );
  });
});
