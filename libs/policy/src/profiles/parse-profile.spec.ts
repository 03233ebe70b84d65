import { describe, expect, it } from '@jest/globals';
import { printAllowlist } from '../allowlist/parse-allowlist.js';
import { conformanceTable } from '../testing/conformance.js';
import { rejectionOf, valueOf } from '../testing/fixtures.js';
import { parseProfile } from './parse-profile.js';
import { parseProfileName } from './profile-name.js';

interface NameRow {
  id: string;
  why: string;
  name: unknown;
  expect: 'accept' | 'refuse';
}
interface FileRow {
  id: string;
  why: string;
  profile: string;
  content?: string | Uint8Array;
  expect: { ok: true; tools: string[]; promptHint: string | null } | { ok: false; reason: string };
}

function parse(content: string | Uint8Array, profile = 'aa') {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  return parseProfile(bytes, valueOf(parseProfileName(profile)));
}

const withKey = (line: string) => `---\nname: aa\ntools: [read_file]\n${line}\n---\n`;

describe('profile names, row by row', () => {
  it.each(conformanceTable<NameRow[]>('profile-names.json'))('$id: $why', (row) => {
    expect(parseProfileName(row.name).ok).toBe(row.expect === 'accept');
  });
});

it('[T18] names that could leave the directory are refused before a path exists', () => {
  for (const name of [
    '../x',
    'a/b',
    'a.md',
    '.',
    '-a',
    'a-',
    'a',
    'A'.repeat(51),
    '\uff41',
    'com\u00b9',
    'LPT\u00b3',
  ]) {
    expect(rejectionOf(parseProfileName(name)).offenders).toEqual([name]);
  }
});

describe('profile files, row by row', () => {
  // Rows with a tree are about the file system, which this library does not read.
  const rows = conformanceTable<FileRow[]>('profile-files.json').filter((row) => row.content !== undefined);

  it.each(rows)('$id: $why', (row) => {
    const result = parse(row.content ?? '', row.profile);
    if (!row.expect.ok) {
      expect(rejectionOf(result)).toMatchObject({ code: 'PROFILE_FILE_INVALID', reason: row.expect.reason });
      return;
    }
    const { tools, promptHint } = valueOf(result);
    expect(printAllowlist(tools)).toEqual(row.expect.tools);
    expect(promptHint).toBe(row.expect.promptHint);
  });
});

describe('[E11] front matter nested or stretched to the limit of the file size', () => {
  it.each([
    ['flow lists', `x: ${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['open flow lists', '['.repeat(60_000)],
    ['flow mappings', '{a: '.repeat(15_000)],
    ['block lists', `${'- '.repeat(30_000)}x`],
    ['explicit keys', `${'? '.repeat(30_000)}x`],
    [
      'block mappings',
      `a:\n${Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth + 1)}k:`).join('\n')}`,
    ],
    ['many keys', Array.from({ length: 6_000 }, (_, index) => `k${index}: 1`).join('\n')],
    ['one key many times', 'a: 1\n'.repeat(10_000)],
    ['many list items', `tools: [${'a, '.repeat(20_000)}]`],
  ])('%s refuse as yaml', (_what, text) => {
    expect(rejectionOf(parse(`---\n${text}\n---\n`)).reason).toBe('yaml');
  });
});

describe('strict YAML', () => {
  it.each([
    ['an alias', withKey('description: *x'), 'yaml'],
    ['a non-specific tag', withKey('description: ! x'), 'yaml'],
    ['an anchor on a key', withKey('&k description: x'), 'yaml'],
    ['a directive', '---\n%YAML 1.1\nname: aa\n---\n', 'yaml'],
    ['a nested key', withKey('? [a]\n: b'), 'keys'],
    ['a __proto__ key', withKey('__proto__: {}'), 'keys'],
    ['a control character in a key', withKey('"a\\x07": b'), 'encoding'],
    ['a control character in a list', '---\nname: aa\ntools: ["a\\x85"]\n---\n', 'encoding'],
    ['a nested list', '---\nname: aa\ntools: [[read_file]]\n---\n', 'tools'],
    ['a list closed at the left edge', '---\nname: aa\ntools: [\n  glob,\n]\n---\n', 'yaml'],
    ['a tab before a list', '---\nname: aa\ntools:\t [glob]\n---\n', 'yaml'],
    ['a tab in a list', '---\nname: aa\ntools: [\tglob]\n---\n', 'yaml'],
    ['a mapping closed at the left edge', withKey('description: {\n  a: b\n}'), 'yaml'],
    ['two byte order marks', `\ufeff\ufeff${withKey('')}`, 'frontmatter'],
  ])('%s refuses', (_what, content, reason) => {
    expect(rejectionOf(parse(content)).reason).toBe(reason);
  });

  it('[T20] block, flow, CRLF and byte order mark give one and the same list', () => {
    const block = '---\nname: aa\ntools:\n  - glob\n  - edit\n---\n';
    const flow = '---\nname: aa\ntools: [glob, edit]\n---\n';
    for (const content of [block, flow, block.replaceAll('\n', '\r\n'), `\ufeff${flow}`]) {
      expect(printAllowlist(valueOf(parse(content)).tools)).toEqual(['glob', 'edit']);
    }
  });
});

it.each([
  ['on one line, with a comment', '[glob] # why'],
  ['over several lines', '[\n  glob,\n  ]'],
  ['on the line of its last item', '[\n glob]'],
])('takes a list that is closed %s', (_what, list) => {
  const profile = valueOf(parse(`---\ntools: ${list}\nname: aa\n---\n`));
  expect(printAllowlist(profile.tools)).toEqual(['glob']);
});

it('takes tabs inside texts and comments', () => {
  const profile = valueOf(
    parse('---\nname: aa #\twhy\ntools: []\npromptHint: "a\tb"\ndescription: |\n  c\td\n---\n'),
  );
  expect(profile).toMatchObject({ promptHint: 'a\tb', description: 'c\td' });
});

it('takes one flow mapping as the whole front matter, closed at the left edge', () => {
  expect(printAllowlist(valueOf(parse('---\n{\n  name: aa, tools: [glob]\n}\n---\n')).tools)).toEqual([
    'glob',
  ]);
});

it('names the line of a bracket that is closed too far left', () => {
  const { message } = rejectionOf(parse('---\nname: aa\ntools: [\n  glob,\n]\n---\n'));
  expect(message).toMatch(/closing bracket .*line 5/);
});

it('suggests the key that was meant', () => {
  expect(rejectionOf(parse(withKey('prompt_hint: go'))).message).toContain(
    '"prompt_hint" (did you mean "promptHint"?)',
  );
  expect(rejectionOf(parse(withKey('tool: []'))).message).toContain('did you mean "tools"?');
});

it('says where YAML is wrong without quoting the file', () => {
  const { message } = rejectionOf(parse('---\nname: aa\ntools: [secret\nzz: 1\n---\n'));
  expect(message).toMatch(/line \d/);
  expect(message).not.toContain('secret');
});

it('takes a list of 1,000 commented entries and refuses one more as a list', () => {
  const list = (count: number) =>
    `---\nname: aa\ntools:\n${Array.from({ length: count }, (_, index) => `  - tool_${index} # why\n`).join('')}---\n`;
  expect(valueOf(parse(list(1000))).tools.entries).toHaveLength(1000);
  expect(rejectionOf(parse(list(1001))).reason).toBe('tools');
});

it('names every bad entry of the list', () => {
  expect(rejectionOf(parse('---\nname: aa\ntools: ["*", glob, " x"]\n---\n')).offenders).toEqual(['*', ' x']);
});

it('[T22] is a frozen snapshot with the digest of exactly the bytes read', () => {
  const profile = valueOf(parse(withKey('promptHint: go')));
  expect(
    Object.isFrozen(profile) && Object.isFrozen(profile.tools) && Object.isFrozen(profile.tools.entries),
  ).toBe(true);
  expect(profile.contentHash).toMatch(/^[0-9a-f]{64}$/);
  expect(valueOf(parse(withKey('promptHint: go '))).contentHash).not.toBe(profile.contentHash);
});
