import type { Random } from './random.js';

const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RESERVED = new Set(['null', 'true', 'false', 'Null', 'TRUE', 'yes', 'no']);

const toolTexts = [
  'read_file',
  'grep_search',
  'glob',
  'mcp__github__*',
  'mcp__*',
  'mcp__github',
  'mcp__a.b__read it',
  'null',
  '12',
  'true',
  '~',
  '__proto__',
  'it\'s "quoted"',
  'a: b # c',
  'café_🔬',
  'not_there',
  '-',
  '&a',
];
const hints = [
  'Look only.',
  "Don't change a thing: report.",
  'Zwei\nZeilen',
  '🔬'.repeat(100),
  ' padded ',
  '# no comment',
];

/** A profile that must be accepted, in one of the many ways in which YAML lets it be written; no line ends in CR. */
export function profileText(name: string, random: Random): string {
  const tools = Array.from({ length: random.below(6) }, () => random.pick(toolTexts));
  const fields: [string, string][] = [
    ['name', scalar(name, random)],
    ['tools', toolList(tools, random)],
  ];
  if (random.chance(0.5)) fields.push(['promptHint', hint(random.pick(hints), random)]);
  if (random.chance(0.3)) fields.push(['description', scalar('What it is for', random)]);
  const body = random.chance(0.1)
    ? flowMapping(name, tools, random)
    : blockMapping(random.shuffled(fields), random);
  return `---\n${body}\n---\n${'\n'.repeat(random.below(3))}`;
}

function blockMapping(fields: readonly (readonly [string, string])[], random: Random): string {
  const lines = fields.map(([key, value]) => {
    const written = random.chance(0.1) ? JSON.stringify(key) : key;
    const isBlock = value.startsWith('\n');
    return `${written}:${isBlock ? value : ` ${value}`}${comment(random, isBlock || value.includes('\n'))}`;
  });
  return lines.join(random.chance(0.1) ? '\n# a remark\n\n' : '\n');
}

function flowMapping(name: string, tools: readonly string[], random: Random): string {
  const list = tools.map((tool) => JSON.stringify(tool)).join(', ');
  return `{name: ${JSON.stringify(name)},${random.pick([' ', '\n  '])}tools: [${list}]}`;
}

function comment(random: Random, isOpen: boolean): string {
  return !isOpen && random.chance(0.15) ? ' # a remark' : '';
}

function scalar(text: string, random: Random): string {
  if (PLAIN.test(text) && !RESERVED.has(text) && random.chance(0.6)) return text;
  return random.chance(0.5) ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`;
}

function toolList(tools: readonly string[], random: Random): string {
  const items = tools.map((tool) => scalar(tool, random));
  if (items.length === 0) return '[]';
  const indent = ' '.repeat(random.below(4));
  switch (random.below(4)) {
    case 0:
      return `[${items.join(', ')}]`;
    case 1:
      return `[\n  ${items.join(',\n  ')}${random.chance(0.5) ? ',' : ''}\n  ]`;
    default:
      return items.map((item) => `\n${indent}- ${item}${comment(random, false)}`).join('');
  }
}

function hint(text: string, random: Random): string {
  const indented = text.trim().split('\n').join('\n  ');
  switch (random.below(3)) {
    case 0:
      return `${random.pick(['|', '|-', '|+', '>', '>-'])}\n  ${indented}`;
    default:
      return JSON.stringify(text);
  }
}
