import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { TestOrchestrator } from '../testing/test-orchestrator.js';

interface Family {
  readonly session: string;
  readonly forks: readonly [string, string];
}

let orchestrator: TestOrchestrator;
/** Two sessions with two forks each, which wait for a worker that there is not. */
let families: readonly [Family, Family];

beforeAll(async () => {
  orchestrator = await TestOrchestrator.start();
  families = [await family(), await family()];
  const all = families.flatMap(({ forks }) => forks);
  // Lists follow the log a moment later.
  while ((await levelOf('/v1/events')).length < all.length)
    await new Promise((resolve) => setTimeout(resolve, 20));
});
afterAll(() => orchestrator.stop());

const key = (): string => orchestrator.adminKey;

async function idOf(path: string, json: object): Promise<string> {
  const { text } = await orchestrator.send('POST', path, { key: key(), json });
  return (JSON.parse(text) as { readonly id: string }).id;
}

async function family(): Promise<Family> {
  const session = await idOf('/v1/sessions', {
    projectRoot: tmpdir(),
    model: 'scripted:none',
    systemInstruction: 'Help.',
    history: { format: 'openai', messages: [{ role: 'user', content: 'Hello.' }] },
  });
  const call = { description: 'a fork', prompt: 'Look.', subagent_type: 'fork' };
  const path = `/v1/sessions/${session}/agents`;
  return { session, forks: [await idOf(path, call), await idOf(path, call)] };
}

async function levelOf(path: string): Promise<readonly string[]> {
  const isEnough = (text: string) => /event: level\ndata: .*\n\n/.test(text);
  const { text } = await orchestrator.send('GET', path, { key: key(), isEnough });
  const [data] = /(?<=event: level\ndata: ).*/.exec(text) ?? [''];
  const { unfinished } = JSON.parse(data) as { readonly unfinished: readonly { readonly id: string }[] };
  return unfinished.map(({ id }) => id).toSorted();
}

it('the level signal names the unfinished agents that the stream is about, and no others', async () => {
  const [{ session, forks }, other] = families;
  const [first, second] = forks;
  const [third] = other.forks;
  expect(await levelOf(`/v1/agents/${first}/events`)).toEqual([first]);
  expect(await levelOf(`/v1/agents/${session}/events`)).toEqual([]);
  expect(await levelOf(`/v1/events?agent=${first},${third}`)).toEqual([first, third].toSorted());
  expect(await levelOf(`/v1/events?session=${session}`)).toEqual([first, second].toSorted());
  expect(await levelOf(`/v1/events?session=${session}&agent=${third}`)).toEqual([]);
  expect(await levelOf('/v1/events?kind=subagent')).toEqual([]);
  expect(await levelOf('/v1/events?kind=fork,subagent')).toHaveLength(4);
});
