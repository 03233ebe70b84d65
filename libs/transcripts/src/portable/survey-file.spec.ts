import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isSound } from '../events/recorded-event.js';
import { InMemoryTranscriptStore } from '../store/in-memory-transcript-store.js';
import { newAppend, newEvent, newId, wholeStream } from '../testing/new-events.js';
import { portableFormat, type PortableRecord } from './portable-records.js';
import { openLine, sealLine } from './sealed-line.js';
import { splitLines } from './split-lines.js';
import { type FileSurvey, surveyFile } from './survey-file.js';

const surveyOf = (bytes: Uint8Array): Promise<FileSurvey> =>
  surveyFile(
    splitLines(
      (async function* once() {
        yield await Promise.resolve(bytes);
      })(),
    ),
  );

/** Two trees of one session each, of three and two events. */
async function sampleFile(): Promise<Buffer> {
  const store = new InMemoryTranscriptStore();
  const records: PortableRecord[] = [
    { record: 'export', format: portableFormat, logId: await store.logId(), trees: 2 },
  ];
  for (const events of [3, 2]) {
    const stream = newId();
    const [first, ...rest] = Array.from({ length: events }, () => newEvent({ data: '{"a":"é\\u0000"}' }));
    await store.append(newAppend({ stream, events: [first ?? newEvent(), ...rest] }));
    records.push({ record: 'tree', root: stream, agents: [{ agentId: stream, events }] });
    for (const { place: _place, ...event } of (await wholeStream(store, stream)).filter(isSound))
      records.push({ record: 'event', ...event });
  }
  records.push({ record: 'end', trees: 2, agents: 2, events: 5 });
  return Buffer.from(records.map((record) => `${sealLine(record)}\n`).join(''));
}

const foundOf = ({ trees }: FileSurvey): number[][] =>
  trees.map(({ agents }) => agents.map(({ head }) => head.version));

describe('the survey of a portable file', () => {
  let file: Buffer;
  let lineEnds: number[];

  beforeAll(async () => {
    file = await sampleFile();
    lineEnds = [...file.keys()].filter((index) => file[index] === 0x0a);
  });

  it('finds a whole file whole', async () => {
    const survey = await surveyOf(file);
    expect(survey).toMatchObject({ tear: null, announcedTrees: 2, events: 5 });
    expect(foundOf(survey)).toEqual([[3], [2]]);
    expect(survey.trees.map(({ fault }) => fault)).toEqual([null, null]);
  });

  it('finds exactly the whole lines of a file cut anywhere, and says that it is torn', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(file.length - 2), async (size) => {
        const survey = await surveyOf(file.subarray(0, size));
        const whole = lineEnds.filter((end) => end <= size).length;
        // Lines: header, tree, 3 events, tree, 2 events, end.
        expect(survey.events).toBe([0, 0, 0, 1, 2, 3, 3, 4, 5][whole]);
        expect(survey.tear?.line).toBe(whole + 1);
      }),
    );
  });

  it('finds every changed byte, and takes nothing from that line on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = Buffer.from(file);
        changed[at] = (file[at] ?? 0) ^ flip;
        const survey = await surveyOf(changed);
        const line = lineEnds.filter((end) => end < at).length;
        expect(survey.tear).not.toBeNull();
        expect(survey.events).toBe([0, 0, 0, 1, 2, 3, 3, 4, 5][line]);
      }),
    );
  });

  it('refuses events of an agent that its tree does not name', async () => {
    const lines = file.toString('utf8').split('\n');
    const strange = { ...record(lines[2]), stream: newId() };
    const { trees } = await surveyOf(Buffer.from(lines.with(2, sealLine(strange)).join('\n')));
    expect(trees[0]?.fault?.code).toBe('AGENT_UNANNOUNCED');
  });

  it('takes a record out of its place for a tear', async () => {
    const lines = file.toString('utf8').split('\n');
    const { tear } = await surveyOf(Buffer.from([lines[0], lines[2], ...lines.slice(1)].join('\n')));
    expect(tear).toEqual({ line: 2, reason: 'out_of_place' });
  });
});

function record(line = ''): Record<string, unknown> {
  const opened = openLine(line);
  if (!opened.ok) throw new Error(opened.fault);
  return opened.record as Record<string, unknown>;
}
