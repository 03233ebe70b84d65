import type { FixtureLog } from './fixture-log.js';

export interface FixtureAnswer {
  readonly status: number;
  readonly content: unknown;
}

/** The answer to a request that is not a stream. */
export function answerOf(log: FixtureLog, method: string | undefined, url: URL, body: string): FixtureAnswer {
  if (isForeignCursor(url)) return problem(422, 'Not a cursor of this transcript');
  const found = method === 'POST' ? settle(log, url, body) : contentOf(log, url);
  return found === null ? problem(404, 'Not found') : { status: 200, content: found };
}

const problem = (status: number, title: string): FixtureAnswer => ({ status, content: { title, status } });

/** Whether a transcript is asked for with a cursor of something else: a transcript's are not the log's. */
function isForeignCursor(url: URL): boolean {
  const after = url.searchParams.get('after');
  return url.pathname.endsWith('/transcript') && after !== null && !/^v\d+$/.test(after);
}

function contentOf(log: FixtureLog, url: URL): unknown {
  switch (url.pathname.split('/')[2]) {
    case 'workers':
      return { items: log.workers, next: null };
    case 'approvals':
      return { items: log.approvals, next: null };
    case 'questions':
      return { items: log.questions, next: null };
    case 'agents':
      return agentAnswer(log, url);
    default:
      return null;
  }
}

function agentAnswer(log: FixtureLog, url: URL): unknown {
  const [, , , id, part] = url.pathname.split('/');
  if (id === undefined) return listAnswer([...log.agents.values()], url);
  return part === undefined ? (log.agents.get(id) ?? null) : transcriptAnswer(log, id, url);
}

const limitOf = (url: URL): number => Number(url.searchParams.get('limit') ?? 100);

function listAnswer(agents: readonly unknown[], url: URL): unknown {
  const start = Number(url.searchParams.get('after') ?? 0);
  const end = start + limitOf(url);
  return { items: agents.slice(start, end), next: end < agents.length ? String(end) : null };
}

function transcriptAnswer(log: FixtureLog, agentId: string, url: URL): unknown {
  const after = Number(url.searchParams.get('after')?.slice(1) ?? 0);
  const rest = log.events.filter((event) => event.agentId === agentId && event.version > after);
  const limit = limitOf(url);
  const records = rest
    .slice(0, limit)
    .map(({ version, type, at, data }) => ({ cursor: `v${version}`, version, type, at, data }));
  return { records, next: rest.length > limit ? (records.at(-1)?.cursor ?? null) : null };
}

function resolveApproval(log: FixtureLog, url: URL, body: string): unknown {
  const id = url.pathname.split('/').at(-1);
  const place = log.approvals.findIndex((approval) => approval['id'] === id);
  const approval = log.approvals[place];
  if (approval === undefined) return null;
  log.approvals.splice(place, 1);
  const { decision } = JSON.parse(body) as { decision: string };
  log.commit(String(approval['agentId']), 'ApprovalResolved', { approvalId: id, decision });
  return { id, decision };
}

function settle(log: FixtureLog, url: URL, body: string): unknown {
  return url.pathname.split('/')[2] === 'questions'
    ? answerQuestion(log, url, body)
    : resolveApproval(log, url, body);
}

function answerQuestion(log: FixtureLog, url: URL, body: string): unknown {
  const id = url.pathname.split('/').at(-1);
  const place = log.questions.findIndex((question) => question['id'] === id);
  const question = log.questions[place];
  if (question === undefined) return null;
  log.questions.splice(place, 1);
  const { text } = JSON.parse(body) as { text: string };
  log.commit(String(question['agentId']), 'QuestionAnswered', { questionId: id, text });
  return { id, text };
}
