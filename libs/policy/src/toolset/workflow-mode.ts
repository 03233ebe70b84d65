/** The workflow modes, which gate launches (not the approval modes, which gate calls). */
export const WORKFLOW_MODES = Object.freeze(['off', 'discuss', 'plan', 'review', 'design', 'build'] as const);
export type WorkflowMode = (typeof WORKFLOW_MODES)[number];

/** The mode a session starts in unless told otherwise. */
export const DEFAULT_WORKFLOW_MODE: WorkflowMode = 'build';

/** True for the known modes only. */
export function isWorkflowMode(value: unknown): value is WorkflowMode {
  return WORKFLOW_MODES.some((mode) => mode === value);
}

/** True unless the mode is the exact string `build`: an unknown mode is a restricted one. */
export function isRestrictedMode(mode: string): boolean {
  return mode !== ('build' satisfies WorkflowMode);
}
