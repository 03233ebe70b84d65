import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseScript } from './scripts/parse-script.js';

describe('README.md', () => {
  it('its example is a script', () => {
    const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
    const [, example = ''] = /```json\n(.*?)```/s.exec(readme) ?? [];
    expect(parseScript(JSON.parse(example))).toMatchObject({ ok: true });
  });
});
