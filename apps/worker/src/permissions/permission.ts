import type { LiveTool } from '#agents';
import { rawForm } from '#policy';
import type { Runtime } from '#transcripts';

/** What the permission pipeline says of a call that passed the gate (spec 04 §4). */
export type Permission =
  | { readonly verdict: 'allow'; readonly rule: string }
  | { readonly verdict: 'ask'; readonly rule: string }
  | { readonly verdict: 'deny'; readonly rule: string; readonly text: string };

/**
 * Rules first (deny beats ask beats allow), then the approval mode. Rules match a tool by its exact registry name or raw
 * MCP form, deny and ask also the whole server; adding identity to a call never stops a deny rule from matching.
 * `insideWorkspace` says of an edit that it stays in the workspace and off protected paths.
 */
export function decidePermission(
  tool: LiveTool,
  runtime: Runtime,
  insideWorkspace: boolean,
  isProtected: boolean,
): Permission {
  const { allow = [], ask = [], deny = [] } = runtime.permissions;
  const denied = deny.find((rule) => matchesWide(rule, tool));
  if (denied !== undefined) {
    return {
      verdict: 'deny',
      rule: `deny:${denied}`,
      text: 'A permission rule denies this tool; nothing was run.',
    };
  }
  const asked = ask.find((rule) => matchesWide(rule, tool));
  if (asked !== undefined) return { verdict: 'ask', rule: `ask:${asked}` };
  const allowed = allow.find((rule) => rule === rawForm(tool.identity));
  if (allowed !== undefined) return { verdict: 'allow', rule: `allow:${allowed}` };
  if (isProtected) return { verdict: 'ask', rule: 'protected_path' };
  return byMode(tool, runtime.approvalMode, insideWorkspace);
}

function byMode(tool: LiveTool, mode: Runtime['approvalMode'], insideWorkspace: boolean): Permission {
  const rule = `mode:${mode}`;
  if (tool.readOnly) return { verdict: 'allow', rule };
  switch (mode) {
    case 'plan':
      return { verdict: 'deny', rule, text: 'In plan mode only read-only tools run; nothing was run.' };
    case 'default':
      return { verdict: 'ask', rule };
    case 'auto-edit':
    case 'auto':
      return insideWorkspace ? { verdict: 'allow', rule } : { verdict: 'ask', rule };
    case 'yolo':
      return { verdict: 'allow', rule };
  }
}

function matchesWide(rule: string, tool: LiveTool): boolean {
  if (rule === rawForm(tool.identity)) return true;
  if ('name' in tool.identity) return false;
  return (
    rule === 'mcp__*' || rule === `mcp__${tool.identity.server}` || rule === `mcp__${tool.identity.server}__*`
  );
}
