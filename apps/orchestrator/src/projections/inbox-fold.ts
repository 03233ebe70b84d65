import type { ClientBase } from 'pg';
import { isAgentId } from '#transcripts';

/** What somebody is asked and answers once: a row of an inbox. Column names of its table but for the status. */
export interface Asked {
  readonly agent_id: string;
}

interface Settlement {
  readonly id: string;
  readonly agent_id: string;
  readonly status: string;
}

/** Folds a page of the log into what it changes in an inbox: for each row only its last standing counts, and the first answer wins. */
export class InboxFold<Row extends Asked> {
  private readonly asked = new Map<string, Row & { status: string }>();
  private readonly settled = new Map<string, Settlement>();
  private readonly ended = new Set<string>();

  /** An id that is no UUID can be asked about by nobody; it is left out, so that a forged one stops no reader. */
  ask(id: string, row: Row): void {
    if (isAgentId(id) && !this.asked.has(id)) this.asked.set(id, { ...row, status: 'pending' });
  }

  settle(id: string, agentId: string, status: string): void {
    const row = this.asked.get(id);
    if (row?.status === 'pending' && row.agent_id === agentId) row.status = status;
    // Behind the end of its agent an older row is void already.
    if (!isAgentId(id) || this.settled.has(id) || this.ended.has(agentId)) return;
    this.settled.set(id, { id, agent_id: agentId, status });
  }

  /** The activation of an agent is over: what it asked and nobody answered is void. */
  end(agentId: string): void {
    this.ended.add(agentId);
    for (const row of this.asked.values())
      if (row.agent_id === agentId && row.status === 'pending') row.status = 'void';
  }

  /** At most three statements, whatever the page holds: answers, ends, new rows. */
  async write(client: ClientBase, table: InboxTable): Promise<void> {
    const settled = [...this.settled.values()];
    const asked = [...this.asked].map(([id, row]) => ({ [table.id]: id, ...row }));
    if (settled.length > 0) await client.query(settleText(table), [JSON.stringify(settled)]);
    if (this.ended.size > 0) await client.query(voidText(table), [[...this.ended]]);
    if (asked.length > 0) await client.query(insertText(table), [JSON.stringify(asked)]);
  }
}

export interface InboxTable {
  readonly name: string;
  /** The column of the id. */
  readonly id: string;
  /** Every other column with its type, in the order of the table. */
  readonly columns: string;
}

const settleText = ({ name, id }: InboxTable): string => `
  update ${name} i set status = s.status
  from json_to_recordset($1::json) as s(id uuid, agent_id uuid, status text)
  where i.${id} = s.id and i.agent_id = s.agent_id and i.status = 'pending'`;

const voidText = ({ name }: InboxTable): string =>
  `update ${name} set status = 'void' where agent_id = any($1::uuid[]) and status = 'pending'`;

const insertText = ({ name, id, columns }: InboxTable): string => `
  insert into ${name} select * from json_to_recordset($1::json) as row(${id} uuid, ${columns})
  on conflict (${id}) do nothing`;
