/** The processes of a supervised product; a part that is just being started again is absent. */
export interface SupervisorPids {
  readonly supervisor: number;
  readonly database?: number;
  readonly orchestrator?: number;
  readonly modelServer?: number;
  readonly workers: readonly number[];
}
