import type { ToolIdentity } from '#policy';

/** The answer of `POST /v1/policy/evaluate`, and of the same question asked without a server. */
export interface EvaluationAnswer {
  readonly policy:
    | { readonly kind: 'unrestricted' }
    | {
        readonly kind: 'list';
        readonly entries: readonly string[];
        readonly bindings?: readonly {
          readonly wireName: string;
          readonly server: string;
          readonly tool: string;
        }[];
      };
  readonly surface: readonly { readonly wireName: string; readonly identity: ToolIdentity }[];
  readonly withheld: readonly { readonly wireName: string; readonly reason: string }[];
  readonly decisions: readonly CallAnswer[];
}

export interface CallAnswer {
  readonly call: string;
  readonly allowed: boolean;
  readonly reason: string | null;
}

interface UseAnswer {
  readonly tool: ToolIdentity;
  readonly calls: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** The answer of `POST /v1/policy/suggest`. */
export interface SuggestionAnswer {
  readonly agentId: string;
  readonly status: string;
  readonly fork_tools: readonly string[];
  readonly uses: readonly (UseAnswer & { readonly entry: string })[];
  readonly unneeded: readonly UseAnswer[];
  readonly unnameable: readonly UseAnswer[];
  readonly refused: readonly { readonly name: string; readonly reason: string; readonly calls: number }[];
  readonly refusedCalls: number;
}
