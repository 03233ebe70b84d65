import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateArguments } from '../validate-arguments.js';
import type { Tool, ToolResult } from '../tool.js';

/** Calls a tool the way a run does: through its argument text. */
export async function callTool(
  tool: Tool,
  projectRoot: string,
  given: unknown,
  more: { signal?: AbortSignal; env?: Record<string, string>; agentId?: string; lineage?: string[] } = {},
): Promise<ToolResult> {
  const argumentsText = JSON.stringify(given);
  const validated = validateArguments(tool.parameters, argumentsText);
  if (!validated.ok) return { outcome: 'error', text: validated.problem };
  return tool.execute({
    argumentsText,
    arguments: validated.arguments,
    context: {
      projectRoot,
      agentId: more.agentId ?? 'a',
      lineage: more.lineage ?? [],
      runId: 'r',
      tenant: 'default',
      call: { turn: 1, index: 0, providerId: 'k' },
      idempotencyKey: 'k',
      signal: more.signal ?? new AbortController().signal,
      env: () => more.env ?? { PATH: process.env['PATH'] ?? '' },
    },
  });
}

/** A folder of its own for one test: `root` is the project, `outside` lies beside it. */
export interface Sandbox {
  readonly root: string;
  readonly outside: string;
  remove(): Promise<void>;
}

export async function makeSandbox(): Promise<Sandbox> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-tools-')));
  const sandbox = { root: join(base, 'project'), outside: join(base, 'outside') };
  await mkdir(sandbox.root);
  await mkdir(sandbox.outside);
  return { ...sandbox, remove: () => rm(base, { recursive: true, force: true }) };
}
