import type { LiveTool } from '#agents';
import { rawForm, wireName } from '#policy';
import type { ValidatedArguments } from '../tools/validate-arguments.js';
import { callHook } from './call-hook.js';
import type { Hook, HookPorts } from './hook.js';
import { parseHookAnswer } from './parse-hook-answer.js';

/** A call that passed the gate, as hooks are told of it. */
export interface HookedCall {
  /** Who calls, and where: told to hooks as it is. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly tool: LiveTool;
  readonly argumentsText: string;
  readonly arguments: unknown;
}

/** What the pre-tool hooks make of a call: its arguments to go on with, or why it must not run. */
export type HookVerdict =
  | { readonly ok: true; readonly argumentsText: string; readonly arguments: unknown }
  | { readonly ok: false; readonly text: string };

export interface CallResult {
  readonly outcome: 'ok' | 'error';
  readonly text: string;
  readonly durationMs: number;
}

/** The hooks around a call (spec 04 §4), from the server's configuration only. */
export interface ToolHooks {
  /** Asks each pre-tool hook in turn; a rewrite is validated before the next one sees it. A hook that fails blocks. */
  before(
    call: HookedCall,
    validate: (argumentsText: string) => ValidatedArguments,
    signal: AbortSignal,
  ): Promise<HookVerdict>;
  /** Tells the post-tool hooks. What they answer changes nothing; one that fails is reported. */
  after(call: HookedCall, result: CallResult, signal: AbortSignal): Promise<void>;
}

export class ConfiguredToolHooks implements ToolHooks {
  constructor(
    private readonly hooks: readonly Hook[],
    private readonly ports: HookPorts,
  ) {}

  async before(
    call: HookedCall,
    validate: (argumentsText: string) => ValidatedArguments,
    signal: AbortSignal,
  ): Promise<HookVerdict> {
    let current = call;
    for (const hook of this.matching('PreToolUse', call.tool)) {
      const asked = await this.ask(hook, current, signal);
      if (!asked.ok) return asked;
      if (asked.rewritten === null) continue;
      const valid = validate(asked.rewritten);
      if (!valid.ok) return this.failed(hook, `its rewrite of the arguments is refused: ${valid.problem}`);
      current = { ...current, argumentsText: asked.rewritten, arguments: valid.arguments };
    }
    return { ok: true, argumentsText: current.argumentsText, arguments: current.arguments };
  }

  async after(call: HookedCall, result: CallResult, signal: AbortSignal): Promise<void> {
    for (const hook of this.matching('PostToolUse', call.tool)) {
      const payload = JSON.stringify({ ...payloadOf(hook, call), result });
      const reply = await callHook(hook, payload, this.ports, signal);
      if (reply.kind !== 'answered' && !signal.aborted) this.ports.onFault(hook, reply.reason);
    }
  }

  private async ask(
    hook: Hook,
    call: HookedCall,
    signal: AbortSignal,
  ): Promise<{ ok: true; rewritten: string | null } | { ok: false; text: string }> {
    const reply = await callHook(hook, JSON.stringify(payloadOf(hook, call)), this.ports, signal);
    if (reply.kind === 'blocked') return blocked(reply.reason);
    if (reply.kind === 'failed') return this.failed(hook, reply.reason);
    const answer = parseHookAnswer(reply.text);
    if (!answer.ok) return this.failed(hook, answer.problem);
    return answer.decision === 'block' ? blocked(answer.reason) : { ok: true, rewritten: answer.arguments };
  }

  /** The model is told that a hook failed; which one and how is for the operator. */
  private failed(hook: Hook, reason: string): { ok: false; text: string } {
    this.ports.onFault(hook, reason);
    return { ok: false, text: 'A hook that must be asked before this call failed; nothing was run.' };
  }

  private matching(event: Hook['event'], { identity }: LiveTool): readonly Hook[] {
    const names = [rawForm(identity), wireName(identity)];
    return this.hooks.filter((hook) => hook.event === event && matches(hook, names));
  }
}

/** A hook without a matcher is for every tool. */
export function matches({ matcher }: Hook, names: readonly string[]): boolean {
  if (matcher === undefined) return true;
  const pattern = new RegExp(matcher, 'u');
  return names.some((name) => pattern.test(name));
}

function payloadOf(hook: Hook, { facts, tool, arguments: args }: HookedCall): Record<string, unknown> {
  return {
    hook: hook.event,
    ...facts,
    tool: { name: wireName(tool.identity), identity: tool.identity },
    arguments: args,
  };
}

function blocked(reason: string): { ok: false; text: string } {
  return {
    ok: false,
    text: `A hook blocked this call${reason === '' ? '' : `: ${reason}`}. Nothing was run.`,
  };
}
