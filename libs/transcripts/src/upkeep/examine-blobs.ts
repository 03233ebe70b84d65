import { namedBlobs } from '../events/named-blobs.js';
import type { RecordedEvent } from '../events/recorded-event.js';
import { checkBlob } from '../store/check-blob.js';
import type { TranscriptStore } from '../store/transcript-store.js';
import { type Finding, FindingKind } from './finding.js';

/** Looks after the blobs that the events of one stream name inside their payloads. Each is read once, a part at a time. */
export class BlobExaminer {
  readonly named = new Set<string>();
  readonly findings: Finding[] = [];

  constructor(private readonly store: TranscriptStore) {}

  async examine(events: readonly RecordedEvent[]): Promise<void> {
    for (const event of events)
      for (const hash of namedBlobs(event)) {
        if (this.named.has(hash)) continue;
        this.named.add(hash);
        const finding = await this.findingOf(event, hash);
        if (finding !== null) this.findings.push(finding);
      }
  }

  private async findingOf({ stream, version }: RecordedEvent, hash: string): Promise<Finding | null> {
    const { kind } = await checkBlob(this.store, hash);
    if (kind === 'whole') return null;
    const what = kind === 'missing' ? 'is not there' : 'is not what its hash says';
    const detail = `blob ${hash}, which version ${version} names, ${what}`;
    const found = kind === 'missing' ? FindingKind.blobMissing : FindingKind.blobDamaged;
    return { kind: found, subject: stream, detail };
  }
}
