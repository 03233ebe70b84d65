import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { type Answer, TestOrchestrator } from '../testing/test-orchestrator.js';

let orchestrator: TestOrchestrator;
let key: string;

beforeAll(async () => {
  orchestrator = await TestOrchestrator.start();
  ({ key } = await orchestrator.keyOf('acme', 'launch'));
});
afterAll(() => orchestrator.stop());

const send = (method: string, path: string, json: object): Promise<Answer> =>
  orchestrator.send(method, path, { key, json });

it('[SEC-1] a key with the scope launch says how its own sessions ask, and changes and answers nothing of one that is there', async () => {
  const opened = await send('POST', '/v1/sessions', {
    projectRoot: tmpdir(),
    model: 'scripted:none',
    systemInstruction: 'Help.',
    approvalMode: 'yolo',
  });
  expect(opened.status).toBe(201);
  const { id } = JSON.parse(opened.text) as { readonly id: string };
  const steering: readonly (readonly [string, string, object])[] = [
    ['PATCH', `/v1/sessions/${id}/runtime`, { approvalMode: 'yolo' }],
    ['POST', `/v1/approvals/${id}`, { decision: 'allow' }],
    ['POST', `/v1/questions/${id}`, { text: 'Yes.' }],
    ['POST', `/v1/sessions/${id}/close`, {}],
    ['POST', `/v1/agents/${id}/cancel`, {}],
  ];
  for (const [method, path, json] of steering) {
    const { status, text } = await send(method, path, json);
    expect([path, status]).toEqual([path, 403]);
    expect(JSON.parse(text)).toMatchObject({ code: 'FORBIDDEN', offenders: ['operate'] });
  }
});
