import type { Gate } from './compile-gate.js';
import type { AllowedDecision, GateDecision, RefusedDecision } from './decision.js';
import { type CallLabel, type RefusalResponse, refusalResponse } from './refusal-response.js';

/** A call of a batch. `targets` are the names that a dispatching tool would call on behalf of the model, once unwrapped. */
export interface GateCall extends CallLabel {
  readonly targets?: readonly string[];
}

/** A call that may go on, with its place in the batch. */
export interface AdmittedCall<Call extends GateCall> {
  readonly index: number;
  readonly call: Call;
  readonly decision: AllowedDecision;
}

/** A call that is answered here, with its place in the batch and its answer. */
export interface RefusedCall<Call extends GateCall> {
  readonly index: number;
  readonly call: Call;
  readonly decision: RefusedDecision;
  readonly response: RefusalResponse;
}

export interface GatedBatch<Call extends GateCall> {
  readonly admitted: readonly AdmittedCall<Call>[];
  readonly refused: readonly RefusedCall<Call>[];
}

/**
 * Gates one batch in model order (spec 02 §3). Each call lands in exactly one half; a refused one never holds up the rest, and
 * `index` restores the model's order when the answers are put together.
 */
export function partitionBatch<Call extends GateCall>(calls: readonly Call[], gate: Gate): GatedBatch<Call> {
  const admitted: AdmittedCall<Call>[] = [];
  const refused: RefusedCall<Call>[] = [];
  for (const [index, call] of calls.entries()) {
    const decision = decideCall(call, gate);
    if (decision.allowed) admitted.push({ index, call, decision });
    else refused.push({ index, call, decision, response: refusalResponse(call, decision, gate) });
  }
  return { admitted, refused };
}

/** Judges a call by its own name and then by every name it dispatches to: the first refusal is the answer. */
export function decideCall(call: GateCall, gate: Gate): GateDecision {
  const own = gate.decide(call.name);
  if (!own.allowed) return own;
  for (const target of call.targets ?? []) {
    const decision = gate.decide(target);
    if (!decision.allowed) return decision;
  }
  return own;
}
