import type { Random } from './random.js';

type Mutation = (bytes: Buffer, random: Random) => Buffer;

/** What means something to a YAML reader, to a reader of front matter, or to a decoder of text. */
const tokens = [
  '&a ', '*a', '!!str ', '! ', '!<tag:yaml.org,2002:str> ', '<<: ', '? ', ': ', ':', '- ', '-', ' #', '#', '"', "'", '\t',
  '%YAML 1.1\n', '%TAG ! tag:x,2000:\n', '---', '---\n', '\n---\n', '...', '\n...\n', '{', '}', '[', ']', ',', '|', '>', '|2', '@', '`', '%',
  '\r', '\r\n', '\n', ' ', '  ', '\u2028', '\u0085', '\u00a0', '\ufeff', '\0', '\u0007', '\u007f', '\u200b', '\ud83d\udd2c', '\\', '\\n', '\\x00',
  '\\ud800', '\\L', '0o7', '0x1f', '1_000', '.inf', '~', 'null', 'name: x\n', 'tools: []\n', 'tools: null\n', 'tool: [edit]\n', '__proto__: 1\n',
  'promptHint: |\n', '  - ', '- - ', '[[', '{{', '- [', ': [', '"\\u0000"', '*', 'mcp__*', 'a*b',
] as const; // prettier-ignore

const mutations: readonly Mutation[] = [
  insertToken,
  insertToken,
  insertToken,
  flipByte,
  insertByte,
  dropSlice,
  repeatSlice,
  swapLines,
  repeatLine,
  indentLine,
  cutOff,
  nest,
];

/** Bytes changed in one to four places. */
export function mutated(bytes: Buffer, random: Random): Buffer {
  let result = bytes;
  for (let left = 1 + random.below(4); left > 0; left -= 1) result = random.pick(mutations)(result, random);
  return result;
}

/** The text in an encoding or a form of UTF-8 that may not be read, or, with a byte order mark or CRLF, just may. */
export function reencoded(text: string, random: Random): Buffer {
  const utf8 = Buffer.from(text);
  switch (random.below(7)) {
    case 0:
      return Buffer.from(`\ufeff${text}`);
    case 1:
      return Buffer.from(text.replaceAll('\n', '\r\n'));
    case 2:
      return Buffer.from(text, 'utf16le');
    case 3:
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    case 4:
      return Buffer.from(text, 'latin1');
    case 5:
      return spliced(utf8, random.below(utf8.length + 1), 0, random.pick(malformed));
    default:
      return Buffer.from(`\ufeff\ufeff${text}`);
  }
}

/** Overlong, lone surrogate, cut short, beyond Unicode, stray continuation. */
const malformed = ['c0af', 'eda080', 'e282', 'f4908080', '80', 'ff', 'fe', 'e08080'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

/** A file padded with blank lines, or with one long comment, to a size around the limit of a profile. */
export function padded(text: string, random: Random): Buffer {
  const size = 65_536 + random.pick([-1, 0, 1, 1_000, 200_000]);
  const bytes = Buffer.from(text);
  const padding = Buffer.alloc(Math.max(0, size - bytes.length), random.chance(0.5) ? '\n' : ' ');
  if (random.chance(0.7)) return Buffer.concat([bytes, padding]);
  return spliced(bytes, 4, 0, Buffer.concat([Buffer.from('#'), padding, Buffer.from('\n')]));
}

function spliced(bytes: Buffer, at: number, remove: number, insert: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);
}

function insertToken(bytes: Buffer, random: Random): Buffer {
  return spliced(bytes, random.below(bytes.length + 1), 0, Buffer.from(random.pick(tokens)));
}

function insertByte(bytes: Buffer, random: Random): Buffer {
  return spliced(bytes, random.below(bytes.length + 1), 0, Buffer.from([random.below(256)]));
}

function flipByte(bytes: Buffer, random: Random): Buffer {
  if (bytes.length === 0) return bytes;
  const at = random.below(bytes.length);
  return spliced(bytes, at, 1, Buffer.from([(bytes[at] ?? 0) ^ (1 << random.below(8))]));
}

function dropSlice(bytes: Buffer, random: Random): Buffer {
  return spliced(bytes, random.below(bytes.length + 1), 1 + random.below(12), Buffer.alloc(0));
}

function repeatSlice(bytes: Buffer, random: Random): Buffer {
  const from = random.below(bytes.length + 1);
  return spliced(bytes, from, 0, bytes.subarray(from, from + 1 + random.below(40)));
}

function onLines(bytes: Buffer, change: (lines: string[]) => readonly string[]): Buffer {
  // latin1 keeps every byte as it is.
  return Buffer.from(change(bytes.toString('latin1').split('\n')).join('\n'), 'latin1');
}

function swapLines(bytes: Buffer, random: Random): Buffer {
  return onLines(bytes, (lines) => {
    const [left, right] = [random.below(lines.length), random.below(lines.length)];
    return lines.with(left, lines[right] ?? '').with(right, lines[left] ?? '');
  });
}

function repeatLine(bytes: Buffer, random: Random): Buffer {
  return onLines(bytes, (lines) => {
    const at = random.below(lines.length);
    return lines.toSpliced(random.below(lines.length), 0, lines[at] ?? '');
  });
}

function indentLine(bytes: Buffer, random: Random): Buffer {
  return onLines(bytes, (lines) => {
    const at = random.below(lines.length);
    return lines.with(at, random.pick([' ', '  ', '\t', '- ']) + (lines[at] ?? ''));
  });
}

function cutOff(bytes: Buffer, random: Random): Buffer {
  return bytes.subarray(0, random.below(bytes.length + 1));
}

function nest(bytes: Buffer, random: Random): Buffer {
  const deep = random.pick(['[', '{a: ', '- ', '? ', '[{']).repeat(random.pick([3, 12, 200, 5_000]));
  return spliced(bytes, random.below(bytes.length + 1), 0, Buffer.from(deep));
}
