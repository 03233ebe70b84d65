import { describe, expect, it } from '@jest/globals';
import { parseDefinition } from '../definitions/parse-definition.js';
import { resolveSubagentPolicy } from '../launch/resolve-subagent-policy.js';
import { parseProfile } from '../profiles/parse-profile.js';
import { parseProfileName } from '../profiles/profile-name.js';
import { rejectionOf, valueOf } from '../testing/fixtures.js';
import { validateExplorerTools, validateSubagentToolset } from '../toolset/validate-toolset.js';
import { parseStrictYaml } from './parse-strict-yaml.js';

const profile = (text: string | Uint8Array) =>
  parseProfile(typeof text === 'string' ? Buffer.from(text) : text, valueOf(parseProfileName('aa')));
const front = (more: string) => `---\nname: aa\ntools: [glob]\n${more}\n---\n`;

describe('an unusable profile file says what is wrong with it', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['size', 'x'.repeat(65_537), 'is larger than 65,536 bytes'],
    ['encoding', Uint8Array.of(0xff), 'is not valid UTF-8'],
    ['encoding', '---\r---', 'contains a control character or a lone CR'],
    ['encoding', front('description: "\\u0007"'), 'makes a control character by a YAML escape'],
    ['frontmatter', 'tools', 'does not start with a line of exactly "---"'],
    ['frontmatter', `x\uFEFF${front('')}`, 'does not start with a line of exactly "---"'],
    ['frontmatter', '---\nname: aa\n', 'has no closing line of exactly "---"'],
    [
      'body',
      `${front('')}text`,
      'has text after its front matter, which no agent would ever read (use promptHint)',
    ],
    ['yaml', '---\n---\n', 'has front matter that is empty'],
    ['yaml', '---\n# only this\n---\n', 'has front matter that is empty'],
    ['yaml', '---\n- a\n---\n', 'has front matter that is not a mapping'],
    ['yaml', '---\na: 1\n...\nb: 2\n---\n', 'has front matter that holds more than one document'],
    ['yaml', '---\n%YAML 1.2\n---\n', 'has front matter that uses a directive (line 2)'],
    [
      'yaml',
      '---\nname:\taa\n---\n',
      'has front matter that uses a tab between its parts (use spaces) (line 2)',
    ],
    [
      'yaml',
      front(`description: ${'['.repeat(12)}${']'.repeat(12)}`),
      'has front matter that is nested too deeply',
    ],
    ['yaml', front(`description: [${'a, '.repeat(7_000)}]`), 'has front matter that has too many parts'],
    [
      'yaml',
      front('? [a]\n: 1').replace('name: aa\n', ''),
      'has unknown keys: "[a nested key]"; known are: name, tools, promptHint, description',
    ],
    ['name', '---\nname: bb\ntools: [glob]\n---\n', 'must have a name that is the string "aa"'],
    [
      'tools',
      '---\nname: aa\ntools: glob\n---\n',
      'has unusable tools: A tool list must be a list of strings, not "glob".',
    ],
    [
      'promptHint',
      front('promptHint: 7'),
      'has 7 as promptHint; it must be a string of at most 200 characters',
    ],
    [
      'promptHint',
      front(`promptHint: ${'x'.repeat(201)}`),
      'has a longer text as promptHint; it must be a string of at most 200 characters',
    ],
    [
      'description',
      front('description: {a: 1}'),
      'has an object as description; it must be a string of at most 500 characters',
    ],
  ])('%s: %#', (reason, text, fault) => {
    const rejection = rejectionOf(profile(text));
    expect(rejection.message).toContain(`Profile "aa" ${fault}`);
    // A nested key is an unknown one.
    expect(rejection.reason).toBe(fault.includes('unknown keys') ? 'keys' : reason);
  });

  it('a byte order mark is one at the start, and anywhere else a part of the text', () => {
    expect(profile(`\uFEFF${front('')}`).ok).toBe(true);
    expect(rejectionOf(profile('---\nname: a\uFEFFa\ntools: [glob]\n---\n')).reason).toBe('name');
  });

  it('offenders are named where there are any, and only there', () => {
    expect(rejectionOf(profile('x')).offenders).toEqual([]);
    expect(rejectionOf(profile(front('tool: []'))).offenders).toEqual(['tool']);
    expect(rejectionOf(profile('---\nname: aa\ntools: ["*"]\n---\n')).offenders).toEqual(['*']);
  });
});

describe('strict YAML', () => {
  const keys = (count: number, open = '', close = '') =>
    `a: 1\nb: ${open}${Array.from({ length: count }, (_, n) => `k${n}: 1`).join(open === '' ? '\n' : ', ')}${close}`;

  it('a mapping has at most a hundred keys, in block and in flow', () => {
    const block = (count: number) => Array.from({ length: count }, (_, n) => `k${n}: 1`).join('\n');
    expect(parseStrictYaml(block(100)).ok).toBe(true);
    expect(parseStrictYaml(block(101))).toMatchObject({
      fault: 'has a mapping of more than 100 keys (line 2)',
    });
    expect(parseStrictYaml(keys(100, '{', '}')).ok).toBe(true);
    expect(parseStrictYaml(keys(101, '{', '}'))).toMatchObject({
      fault: 'has a mapping of more than 100 keys (line 3)',
    });
  });

  it('a list is no mapping, however long', () => {
    expect(parseStrictYaml(`a: [${'x, '.repeat(500)}]`).ok).toBe(true);
  });

  it('a merge key is an ordinary key', () => {
    const parsed = parseStrictYaml('<<: {tools: [edit]}');
    expect(parsed.ok && [...parsed.fields]).toEqual([['<<', { nested: true }]]);
  });

  it('values are those of YAML 1.2 core', () => {
    const parsed = parseStrictYaml(
      'a: yes\nb: 0o17\nc: 1_000\nd: ~\ne:\nf: 1.5\ng: [x, [y], {z: 1}, null]\nh: {i: 1}',
    );
    expect(parsed.ok && [...parsed.fields.values()]).toEqual([
      'yes',
      15,
      '1_000',
      null,
      null,
      1.5,
      ['x', { nested: true }, { nested: true }, null],
      { nested: true },
    ]);
  });

  it('is nested at most so deep', () => {
    const nested = (depth: number) => `a: ${'['.repeat(depth)}x${']'.repeat(depth)}`;
    expect([7, 8, 9].map((depth) => parseStrictYaml(nested(depth)).ok)).toEqual([true, true, false]);
  });
});

describe('an unusable definition says what is wrong with it', () => {
  const definition = (fields: string, body = 'Look around.') =>
    parseDefinition(`---\n${fields}\n---\n${body}`);
  const head = 'name: scout\ndescription: Looks.';
  it.each([
    ['x', 'The definition is not a mapping', 'has front matter that '],
    [head, 'The definition must name its tools: a list of one or more names.', ''],
    [`${head}\ntools: [read, 7]`, 'The definition must name its tools: a list of one or more names.', ''],
    [
      'name: "-a"\ndescription: x\ntools: [read]',
      'The definition has "-a" as name; it takes 2 to 50 letters, numbers, "-" and "_".',
      '',
    ],
    [
      'name: scout\ntools: [read]',
      'The definition must have a text that is not blank of at most 512 characters as description.',
      '',
    ],
    [
      `${head}\ntools: [read]\nmodel: ""`,
      'The definition must have a model name of at most 512 characters as model.',
      '',
    ],
    [`${head}\ntools: [read]\nagents: x`, 'agents must be a list of definition names.', ''],
    [`${head}\ntools: [read]\nagents: [scout, "../x"]`, 'agents must be a list of definition names.', ''],
  ])('%j', (fields, message, inserted) => {
    expect(rejectionOf(definition(fields))).toMatchObject({
      message:
        message.replace('The definition is', `The definition ${inserted}is`) + (inserted === '' ? '' : '.'),
      offenders: [],
    });
  });

  it('keeps the lines of its system prompt', () => {
    expect(valueOf(definition(`${head}\ntools: [read]`, 'One.\n\nTwo.\n'))).toMatchObject({
      systemPrompt: 'One.\n\nTwo.',
    });
  });

  it('without a body it has no system prompt', () => {
    expect(rejectionOf(definition(`${head}\ntools: [read]`, ' ')).message).toBe(
      'The definition has no body, which is the system prompt.',
    );
  });

  it('names at most two hundred tools, in lines of at most 512 characters', () => {
    const tools = (count: number) => definition(`${head}\ntools: [${'read, '.repeat(count)}]`).ok;
    expect([tools(200), tools(201)]).toEqual([true, false]);
    const line = (length: number) =>
      definition(`name: scout\ndescription: ${'x'.repeat(length)}\ntools: [read]`).ok;
    expect([line(512), line(513)]).toEqual([true, false]);
  });
});

it('a toolset that is refused is refused by name', () => {
  expect(rejectionOf(validateExplorerTools(['re ad'])).code).toBe('TOOLSET_MALFORMED');
  const launch = { mode: 'plan', definition: 'worker', tools: ['bash'], mayLaunch: false, hasBrowser: false };
  expect(rejectionOf(resolveSubagentPolicy(launch)).code).toBe('TOOLS_OUTSIDE_MODE');
  expect(rejectionOf(validateExplorerTools(['read', 'bash', 'Edit'])).message).toBe(
    'An explorer may not have these tools: "bash", "Edit". In every mode it may have: read_file, grep_search, glob, list_directory, browser_console, browser_screenshot, browser_network.',
  );
  expect(rejectionOf(validateSubagentToolset('plan', ['re ad', 'bash', 're ad']))).toMatchObject({
    message: 'These are not tool names: "re ad". A tool name is printable ASCII without spaces or commas.',
    offenders: ['re ad'],
  });
  expect(rejectionOf(validateSubagentToolset('plan', ['bash'])).message).toBe(
    'In mode "plan" these tools may not launch: "bash". Permitted outside Build mode are: read_file, grep_search, glob, list_directory, ask_question, agent, browser_console, browser_screenshot, browser_network.',
  );
});

it('a profile name that is none is named, with what a name may be', () => {
  expect(rejectionOf(parseProfileName('-a'))).toMatchObject({
    message:
      '"-a" is not a profile name: 2 to 50 letters and numbers of any script, "-" and "_", in Unicode NFC, not starting or ending with "-" or "_", and no Windows device name.',
    offenders: ['-a'],
    reason: 'name',
  });
  expect(rejectionOf(parseProfileName(7)).offenders).toEqual(['7']);
  expect(parseProfileName('icon').ok).toBe(true);
  expect(parseProfileName('com10').ok).toBe(true);
});
