import { expect, it } from '@jest/globals';
import { parseStrictYaml } from './parse-strict-yaml.js';

it.each([
  ['an anchor', 'name: aa\ntools: &t [x]', 'uses an anchor (line 3)'],
  ['an alias', 'name: aa\n\n\ntools: *t', 'uses an alias (quote a value that starts with "*") (line 5)'],
  ['a tag', 'name: !!str aa', 'uses a tag (line 2)'],
  ['a duplicate key', 'name: aa\nname: bb', 'is not strict YAML 1.2 (DUPLICATE_KEY, line 3)'],
])('names the line of %s, counted in the file with its fence', (_what, text, fault) => {
  expect(parseStrictYaml(text)).toEqual({ ok: false, fault });
});
