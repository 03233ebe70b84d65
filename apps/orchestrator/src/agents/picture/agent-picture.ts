import { checkBlob, decodeEvent } from '#transcripts';
import type { Principal } from '../../auth/principal.js';
import { EdgeCode, ProblemError } from '../../http/problem.js';
import { LogTools } from '../../log/log-tools.js';
import { AgentAccess } from '../agent-access.js';

/** What browsers show and do not run. Anything else is handed out as bytes to keep. */
const shown: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

export interface StoredPicture {
  readonly mediaType: string;
  readonly isShown: boolean;
  readonly sizeBytes: number;
  /** The bytes a part at a time; fails in the place of the last part when they are no longer what was checked. */
  readonly bytes: AsyncGenerator<Uint8Array, void>;
}

/** The picture that one record of a transcript names. Its hash alone opens nothing: a picture is reached through the agent that took it. */
export class AgentPicture {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
  ) {}

  async of(agentId: string, version: number, principal: Principal): Promise<StoredPicture> {
    await this.access.exists(agentId, principal);
    const { store } = this.tools;
    const [record] = (await store.readStream(agentId, version - 1, 1)).events;
    const event = record === undefined ? null : decodeEvent(record);
    const picture = event?.type === 'ToolCallFinished' ? event.data.picture : undefined;
    if (picture === undefined) throw notFound(`Version ${version} of this agent names no picture.`);
    const check = await checkBlob(store, picture.blob);
    if (check.kind !== 'whole') throw notFound(`The picture of version ${version} is ${check.kind}.`);
    const isShown = shown.has(picture.mediaType);
    return {
      mediaType: isShown ? picture.mediaType : 'application/octet-stream',
      isShown,
      sizeBytes: check.sizeBytes,
      bytes: store.readBlobParts(picture.blob),
    };
  }
}

const notFound = (detail: string): ProblemError => new ProblemError(EdgeCode.NOT_FOUND, detail);
