import type { Logger } from '#platform';
import type { FaultyEvent } from '#transcripts';

/** How many damaged events are remembered as said; one that was forgotten is said again. */
const capacity = 1_000;

/** Says of each damaged event once that this process went by it, however many of its readers did. */
export class SkippedRecords {
  private readonly said = new Set<string>();

  constructor(private readonly logger: Pick<Logger, 'error'>) {}

  readonly note = ({ stream, version, fault, place }: FaultyEvent): void => {
    const key = `${stream}/${version}`;
    if (this.said.has(key)) return;
    if (this.said.size >= capacity) this.said.clear();
    this.said.add(key);
    const position = `${place.generation}/${place.xid}/${place.position}`;
    this.logger.error(
      { kind: 'skipped_record', agent: stream, version, position, fault },
      'an event is not what was recorded; readers went on behind it, and its agent is blocked',
    );
  };
}
