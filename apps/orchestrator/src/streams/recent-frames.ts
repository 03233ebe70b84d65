import { compareLogPlaces, type LogPlace } from '#transcripts';
import type { EventFrame } from './event-frame.js';

/** Most that is kept of the end of the log, in frames and in UTF-16 code units; half of it at least is there. */
const most = Object.freeze({ frames: 2_000, length: 4 * 1024 * 1024 });

/** The end of the log, for clients that join: less than what one client may leave unread, or joining would cut it off. */
export class RecentFrames {
  private frames: EventFrame[] = [];
  private length = 0;

  /** Everything behind `keptAfter` will be here. */
  constructor(private keptAfter: LogPlace | null) {}

  add(frames: readonly EventFrame[]): void {
    this.frames.push(...frames);
    this.length += lengthOf(frames);
    if (this.frames.length > most.frames || this.length > most.length) this.dropOldest();
  }

  /** What comes behind a place, or `null` when that reaches further back than what is kept. */
  behind(place: LogPlace | null): readonly EventFrame[] | null {
    const { keptAfter } = this;
    if (keptAfter !== null && (place === null || compareLogPlaces(place, keptAfter) < 0)) return null;
    return framesBehind(place, this.frames);
  }

  private dropOldest(): void {
    let first = 0;
    for (; this.frames.length - first > most.frames / 2 || this.length > most.length / 2; first += 1)
      this.length -= this.frames[first]?.json.length ?? 0;
    this.keptAfter = this.frames[first - 1]?.place ?? this.keptAfter;
    this.frames = this.frames.slice(first);
  }
}

/** The frames behind a place; all of them, and no copy, where no place is given. */
export const framesBehind = (place: LogPlace | null, frames: readonly EventFrame[]): readonly EventFrame[] =>
  place === null ? frames : frames.filter((frame) => compareLogPlaces(frame.place, place) > 0);

const lengthOf = (frames: readonly EventFrame[]): number =>
  frames.reduce((sum, { json }) => sum + json.length, 0);
