import type { Runtime } from '#transcripts';
import { assertServers } from './assert-servers.js';
import type { ChangeRuntimeRequest, OpenSessionRequest } from './open-session.request.js';

/** The runtime that a session opens with: what was asked for over the defaults of spec 05 §9. */
export function runtimeOf(request: OpenSessionRequest): Runtime {
  const { projectRoot, model, systemInstruction } = request;
  return {
    projectRoot,
    model,
    systemInstruction,
    settings: '{}',
    builtinTools: 'all',
    mcpServers: '{}',
    declarations: null,
    approvalMode: 'default',
    workflowMode: 'build',
    safeMode: false,
    bareMode: false,
    permissions: {},
    ...changesOf(request),
  };
}

/** The part of the runtime that a request names. Settings and servers become text here, once, and stay it. */
export function changesOf(request: ChangeRuntimeRequest | OpenSessionRequest): Partial<Runtime> {
  const { tools, mcpServers, settings, projectRoot, model, systemInstruction, declarations } = request;
  const { approvalMode, workflowMode, safeMode, bareMode, permissions } = request;
  if (mcpServers !== undefined) assertServers(mcpServers);
  return defined({
    projectRoot,
    model,
    systemInstruction,
    declarations,
    approvalMode,
    workflowMode,
    safeMode,
    bareMode,
    permissions,
    builtinTools: tools?.builtin,
    settings: settings === undefined ? undefined : JSON.stringify(settings),
    mcpServers: mcpServers === undefined ? undefined : JSON.stringify(mcpServers),
  });
}

/** Drops members that were not given: absent is not undefined in what is recorded. */
function defined(members: { readonly [K in keyof Runtime]?: Runtime[K] | undefined }): Partial<Runtime> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
