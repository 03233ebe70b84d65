import { Model, type ModelReply, type ModelRequest } from '../../apps/worker/src/models/model.js';
import { nextTurn } from './workload.js';

/** The model of the suite without a wire: what is left is the runtime. */
export class InProcessModel extends Model {
  readonly limiterKey = 'bench';

  stream({ messages }: ModelRequest): Promise<ModelReply> {
    const blocks = nextTurn(messages.filter(({ role }) => role === 'tool').length);
    const isCall = blocks.some(({ type }) => type === 'call');
    return Promise.resolve({
      blocks,
      stopReason: isCall ? 'tool_calls' : 'end',
      usage: { inputTokens: 900, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 20 },
      isUsageReported: true,
      request: { digest: 'd', bytes: 1, prefixDigest: 'd', prefixBytes: 1 },
      truncated: false,
    });
  }
}
