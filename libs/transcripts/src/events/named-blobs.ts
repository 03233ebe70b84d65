import { z } from 'zod';
import type { RecordedEvent } from './recorded-event.js';

const WithPicture = z.object({ picture: z.object({ blob: z.string().regex(/^[0-9a-f]{64}$/) }) });

/**
 * The blobs that an event names inside its payload: the picture of a call's result. Of any schema version, since what is named must
 * travel with the event also where this release cannot read all of it. Never throws.
 */
export function namedBlobs({ type, data = '' }: Pick<RecordedEvent, 'type' | 'data'>): readonly string[] {
  if (type !== 'ToolCallFinished' || !data.includes('"picture"')) return [];
  try {
    const read = WithPicture.safeParse(JSON.parse(data));
    return read.success ? [read.data.picture.blob] : [];
  } catch {
    return [];
  }
}
