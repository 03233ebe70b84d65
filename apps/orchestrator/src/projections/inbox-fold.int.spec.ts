import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import type { AgentEvent, RecordedEvent } from '#transcripts';
import { event, newId, recordOf } from '#transcripts/testing';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { migrateDatabase } from '../migrations/migrate-database.js';
import { applyToInbox } from './approval-inbox/approval-inbox.projection.js';
import { applyToQuestions } from './question-inbox/question-inbox.projection.js';

const patience = 60_000;
const agents = [newId(), newId()];
const ids = Array.from({ length: 4 }, () => newId());

/** What happens to an id, as events of both inboxes. */
const kinds = {
  ask: (id: string): AgentEvent[] => [
    event.approvalRequested({ approvalId: id, expiresInMs: 1_500 }),
    event.questionAsked({ questionId: id }),
  ],
  settle: (id: string): AgentEvent[] => [
    event.approvalResolved({ approvalId: id, decision: 'deny' }),
    event.questionAnswered({ questionId: id }),
  ],
  expire: (id: string): AgentEvent[] => [
    event.approvalExpired({ approvalId: id }),
    event.questionExpired({ questionId: id }),
  ],
  end: (): AgentEvent[] => [event.agentFailed()],
};
const step = fc.record({
  kind: fc.constantFrom('ask', 'ask', 'settle', 'expire', 'end'),
  agent: fc.nat(agents.length - 1),
  id: fc.nat(ids.length - 1),
});

describe('the inboxes of approvals and questions', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let statements = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  }, patience);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it(
    'are the same however the log is cut into pages',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 24 }),
          fc.integer({ min: 2, max: 24 }),
          async (steps, size) => {
            const events = steps.flatMap(({ kind, agent, id }, index) =>
              kinds[kind](ids[id] ?? '').map((fact) => recordOf(fact, index + 1, agents[agent] ?? '')),
            );
            expect(await tablesAfter(events, size)).toEqual(await tablesAfter(events, 1));
          },
        ),
        { numRuns: 60 },
      );
    },
    patience,
  );

  it('take a few statements a page, whatever it holds', async () => {
    const asked = Array.from({ length: 200 }, () => newId());
    const events = asked.flatMap((id, index) =>
      [...kinds.ask(id), ...kinds.settle(id), ...kinds.ask(newId())].map((fact) => recordOf(fact, index + 1)),
    );
    await clear();
    await apply([...events, recordOf(event.agentCompleted(), 201)]);
    expect(statements).toBeLessThanOrEqual(6);
    const { rows } = await client.query(
      'select status, count(*)::int as n from approval_inbox group by 1 order by 1',
    );
    expect(rows).toEqual([
      { status: 'denied', n: 200 },
      { status: 'void', n: 200 },
    ]);
  });

  it('hold any text that the log can, and no id that is none', async () => {
    await clear();
    const odd = 'a\u0000b\ud800c';
    await apply([
      recordOf(event.approvalRequested({ approvalId: newId(), name: odd, arguments: odd }), 1),
      recordOf(event.approvalRequested({ approvalId: 'no id' }), 2),
      recordOf(event.approvalResolved({ approvalId: 'no id' }), 3),
      recordOf(event.questionAsked({ questionId: newId(), text: odd, options: [odd] }), 4),
      recordOf(event.questionAsked({ questionId: newId(), expiresInMs: Number.MAX_SAFE_INTEGER }), 5),
    ]);
    expect((await client.query('select tool, arguments from approval_inbox')).rows).toEqual([
      { tool: 'a\ufffdb\ufffdc', arguments: 'a\ufffdb\ufffdc' },
    ]);
    expect((await client.query('select count(*)::int as n from question_inbox')).rows).toEqual([{ n: 2 }]);
  });

  it('take an answer only from the stream of the agent that asked', async () => {
    await clear();
    const id = newId();
    await apply([recordOf(event.approvalRequested({ approvalId: id }), 1, agents[0])]);
    await apply([recordOf(event.approvalResolved({ approvalId: id }), 1, agents[1])]);
    expect((await client.query('select status from approval_inbox')).rows).toEqual([{ status: 'pending' }]);
  });

  async function clear(): Promise<void> {
    await client.query('truncate approval_inbox, question_inbox');
    statements = 0;
  }

  async function apply(events: readonly RecordedEvent[]): Promise<void> {
    const counting = new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') statements += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await applyToInbox(counting, events);
    await applyToQuestions(counting, events);
  }

  async function tablesAfter(events: readonly RecordedEvent[], size: number): Promise<unknown> {
    await clear();
    for (let start = 0; start < events.length; start += size) await apply(events.slice(start, start + size));
    const approvals = await client.query('select * from approval_inbox order by approval_id');
    const questions = await client.query('select * from question_inbox order by question_id');
    return [approvals.rows, questions.rows];
  }
});
