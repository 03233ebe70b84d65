import type { AgentMeta, Runtime } from '#transcripts';

/** The model that the next run of an agent uses: its own where its launch named one (spec 02 §1), else the current one of its session. */
export function workModel({ launch }: Pick<AgentMeta, 'launch'>, session: Pick<Runtime, 'model'>): string {
  return launch?.modelIsOwn === true ? launch.model : session.model;
}
