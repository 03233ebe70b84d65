import { expect, it } from '@jest/globals';
import { parseProfile, parseProfileName } from '#policy';
import { locateFault } from './locate-fault.js';

function linesOf(content: string | Uint8Array): readonly number[] {
  const name = parseProfileName('aa');
  if (!name.ok) throw new Error(name.rejection.message);
  const bytes = Buffer.from(content);
  const parsed = parseProfile(bytes, name.value);
  if (parsed.ok) throw new Error('The profile is sound.');
  return locateFault(bytes.toString('utf8'), parsed.rejection);
}

it.each([
  ['a missing opening fence', 'name: aa\n', [1]],
  ['a missing closing fence', '---\nname: aa\ntools: []\n', [4]],
  ['a body', '---\nname: aa\ntools: []\n---\n\nBe careful.\n', [6]],
  ['a duplicate key', '---\nname: aa\ntools: []\nname: aa\n---\n', [4]],
  ['an alias', '---\nname: aa\ntools:\n  - *all\n---\n', [4]],
  ['unknown keys', '---\nname: aa\nfork_tools: [x]\ntools: []\nhint: x\n---\n', [3, 5]],
  ['another name', '---\ntools: []\nname: bb\n---\n', [3]],
  ['no tools', '---\nname: aa\n---\n', [1]],
  ['tools that are no list', '---\nname: aa\ntools: read_file\n---\n', [3]],
  ['bad entries', '---\nname: aa\ntools:\n  - read_file\n  - "*"\n  - 7\n---\n', [5, 6]],
  ['a bad entry behind CRLF', '---\r\nname: aa\r\ntools:\r\n  - ""\r\n---\r\n', [4]],
  ['an entry that is too long', `---\nname: aa\ntools:\n  - ${'x'.repeat(600)}\n---\n`, [4]],
  ['a hint that is no text', '---\nname: aa\ntools: []\npromptHint: [x]\n---\n', [4]],
  ['a long description', `---\nname: aa\ndescription: ${'d'.repeat(501)}\ntools: []\n---\n`, [3]],
  ['a control character', '---\nname: aa\ntools: []\ndescription: a\u0007b\n---\n', [4]],
  ['a control character by escape', '---\nname: aa\ntools: []\ndescription: "a\\x07b"\n---\n', [4]],
])('finds the lines of %s', (_what, content, lines) => {
  expect(linesOf(content)).toEqual(lines);
});

it('finds the line of bytes that are no UTF-8', () => {
  expect(linesOf(Buffer.concat([Buffer.from('---\nname: aa\n# '), Buffer.from([0xff, 0x0a])]))).toEqual([3]);
});

it('a file that is too large has no line', () => {
  expect(linesOf(`---\nname: aa\n# ${'x'.repeat(70_000)}\n---\n`)).toEqual([]);
});
