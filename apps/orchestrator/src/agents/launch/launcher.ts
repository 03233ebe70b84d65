import type { LaunchTools } from '#agents';

/** What the launch use case needs of this process. Also the injection token. */
export class Launcher {
  constructor(readonly tools: LaunchTools) {}
}
