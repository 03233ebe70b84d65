import { findHistoryDefect } from './find-history-defect.js';
import type { ModelRequest, ToolDeclaration } from './model.js';
import { findSettingsDefect, isJsonObject } from './request-settings.js';

/** Why a request cannot be sent; `messageIndex` only where one message is to blame. */
export interface RequestDefect {
  readonly reason: string;
  readonly messageIndex?: number;
}

function findDeclarationDefect(declarations: readonly ToolDeclaration[]): string | null {
  const seen = new Set<string>();
  for (const { name, parametersText } of declarations) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return `The tool name "${name}" is no wire name.`;
    if (seen.has(name)) return `The tool "${name}" is declared twice.`;
    if (!isJsonObject(parametersText))
      return `The schema of the tool "${name}" is not the text of a JSON object.`;
    seen.add(name);
  }
  return null;
}

/** The first reason why a provider would refuse this request whatever the moment, or null. */
export function findRequestDefect(request: ModelRequest): RequestDefect | null {
  const reason = findSettingsDefect(request.settings) ?? findDeclarationDefect(request.declarations);
  if (reason !== null) return { reason };
  const defect = findHistoryDefect(request.messages);
  return defect === null ? null : { reason: defect.reason, messageIndex: defect.index };
}
