/** Something the test run started and must end. */
export interface StartedService {
  stop(): Promise<void>;
}
