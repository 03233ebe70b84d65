import * as z from 'zod';

/**
 * What the orchestrator tells its supervisor over IPC once it listens (`{ type: 'listening', ... }`). Only it
 * knows the port it got, and whatever answers on the configured port may be somebody else.
 */
export interface Listening {
  /** Reachable from this machine, for example `http://127.0.0.1:4400`. */
  readonly address: string;
  /** The dashboard with a token that works once. */
  readonly dashboardUrl?: string;
}

const listening = z.object({
  type: z.literal('listening'),
  address: z.url(),
  dashboardUrl: z.url().exactOptional(),
});

/** Reads an IPC message of the orchestrator; undefined for every other message. */
export function parseListening(message: unknown): Listening | undefined {
  const parsed = listening.safeParse(message);
  if (!parsed.success) return undefined;
  const { type: _type, ...rest } = parsed.data;
  return rest;
}
