import { describe, expect, it } from '@jest/globals';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { absentAgent, type AgentMeta } from '../../libs/transcripts/src/agent-meta/agent-meta.js';
import { evolve } from '../../libs/transcripts/src/agent-meta/evolve.js';
import { decodeEvent } from '../../libs/transcripts/src/events/event-codec.js';
import { splitLines } from '../../libs/transcripts/src/portable/split-lines.js';
import { surveyFile } from '../../libs/transcripts/src/portable/survey-file.js';
import { TreeRecords } from '../../libs/transcripts/src/portable/tree-records.js';
import { plainMeta } from './plain-meta.js';

const folder = import.meta.dirname;
const histories = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const linesOf = (file: string) => splitLines(createReadStream(join(folder, file)));

describe('histories that earlier releases recorded', () => {
  it('are there', () => {
    expect(histories.length).toBeGreaterThan(0);
  });

  it.each(histories)(
    '[LOG-3] %s verifies, is understood event by event, and folds to what it did then',
    async (file) => {
      const survey = await surveyFile(linesOf(file));
      expect(survey).toMatchObject({ tear: null, trees: [{ fault: null }] });
      const metas = new Map<string, AgentMeta>();
      const unknown: string[] = [];
      for await (const page of new TreeRecords(linesOf(file), Infinity).of(0))
        for (const record of page) {
          if (record.kind !== 'event') continue;
          const { event } = record;
          const decoded = decodeEvent(event);
          if (decoded.type === 'unknown') unknown.push(`${event.type} ${event.schema}`);
          metas.set(event.stream, evolve(metas.get(event.stream) ?? absentAgent(event.stream), decoded));
        }
      expect(unknown).toEqual([]);
      const then = JSON.parse(
        readFileSync(join(folder, file.replace('.jsonl', '.metas.json')), 'utf8'),
      ) as object;
      const now = Object.fromEntries([...metas].map(([stream, meta]) => [stream, plainMeta(meta)]));
      // What was known then is known still; a later release may know more.
      expect(now).toMatchObject(then);
    },
  );
});
