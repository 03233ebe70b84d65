import { describe, expect, it } from '@jest/globals';
import { rejectionOf, valueOf } from '../testing/fixtures.js';
import { parseDefinition } from './parse-definition.js';

const head = 'name: scout\ndescription: Looks around.\n';
const file = (front: string, body = 'You look around.\n') => `---\n${front}---\n${body}`;

it('reads front matter and body, tools as written', () => {
  const text = file(`${head}tools: [Read, " Bash "]\nmodel: openai:x\nagents: [explorer]\n`);
  expect(valueOf(parseDefinition(text))).toEqual({
    name: 'scout',
    description: 'Looks around.',
    tools: ['Read', ' Bash '],
    model: 'openai:x',
    agents: ['explorer'],
    systemPrompt: 'You look around.',
    contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

it('is a leaf on the model of its parent unless it says otherwise', () => {
  expect(valueOf(parseDefinition(file(`${head}tools: [read]\n`)))).toMatchObject({ agents: [], model: null });
});

it('reads text and its bytes alike', () => {
  const text = file(`${head}tools: [read]\n`);
  expect(parseDefinition(Buffer.from(text))).toEqual(parseDefinition(text));
  expect(parseDefinition(new TextEncoder().encode(text))).toEqual(parseDefinition(text));
});

describe('a malformed definition is refused', () => {
  it.each([
    ['without tools', file(head), 'tools'],
    ['with an empty list, which is not "all"', file(`${head}tools: []\n`), 'tools'],
    ['with tools as a text', file(`${head}tools: read, bash\n`), 'tools'],
    ['with a tool that is no name', file(`${head}tools: ["re ad"]\n`), 'tools'],
    ['with a name that is a number', file('name: 12\ndescription: x\ntools: [read]\n'), 'name'],
    ['with a blank description', file('name: scout\ndescription: " "\ntools: [read]\n'), 'description'],
    ['without a body', file(`${head}tools: [read]\n`, '\n \n'), 'body'],
    ['with an unknown key', file(`${head}tools: [read]\ntool: [bash]\n`), 'keys'],
    ['with tools twice', file(`${head}tools: [read]\ntools: [bash]\n`), 'yaml'],
    ['with a model that is a list', file(`${head}tools: [read]\nmodel: [a]\n`), 'model'],
    ['with agents that are no names', file(`${head}tools: [read]\nagents: ["../x"]\n`), 'agents'],
    ['without front matter', 'You look around.\n', 'frontmatter'],
    ['that is too large', file(`${head}tools: [read]\n`, 'x'.repeat(262_144)), 'size'],
  ])('%s', (_what, text, reason) => {
    expect(rejectionOf(parseDefinition(text))).toMatchObject({ code: 'DEFINITION_INVALID', reason });
  });
});
