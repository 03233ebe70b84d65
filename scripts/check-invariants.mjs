// Holds docs/invariants.md and the titles of the specs to each other:
// - a promise that is kept is cited by the title of at least one spec that runs;
// - a promise under "Not yet kept" is cited by none, so that its first spec moves it up;
// - a title cites nothing but promises of that file and field cases;
// - the paths that the file names exist.
// Usage: node scripts/check-invariants.mjs [project root]. Exit code 1 when something does not hold.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(process.argv[2] ?? path.dirname(import.meta.dirname));
const document = 'docs/invariants.md';
const rooms = ['apps', 'libs', 'test', 'scripts'];
const notYetHeading = 'not yet kept';

const promiseRow = /^\|\s*([A-Z]{3}-\d+)\s*\|/;
const fieldCase = /^[QESLPMTCN]\d{2}$/;
/** The ids that a title opens with: `'[POL-1][T01] …'`, `'[Q06] [OPS-1] …'`. */
const titleIds = /(['"`])((?:\[[A-Z]{1,4}-?\d{1,3}\]\s*)+)/g;
const turnedOff = /(?:\.(?:skip|todo)\b|\bx(?:it|test|describe)\b)[^;{}]*$/;

/** Promises of the document by id: whether they stand under the heading of what is not kept yet. */
function readPromises(text) {
  const promises = new Map();
  const faults = [];
  let isNotYet = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) isNotYet = line.slice(3).trim().toLowerCase() === notYetHeading;
    const id = promiseRow.exec(line)?.[1];
    if (id === undefined) continue;
    if (promises.has(id)) faults.push(`${id} stands twice in ${document}.`);
    promises.set(id, isNotYet);
  }
  if (promises.size === 0) faults.push(`${document} states no promise.`);
  return { promises, faults };
}

function missingPaths(text) {
  const named = [...text.matchAll(/`((?:apps|libs|test|scripts|docs)\/[^`*<>{}\s]+)`/g)].map(
    (match) => match[1],
  );
  return [...new Set(named)]
    .filter((name) => !existsSync(path.join(root, name)))
    .map((name) => `${document} names ${name}, which does not exist.`);
}

function typescriptFiles() {
  return rooms.flatMap((room) => {
    const folder = path.join(root, room);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(room, name))
      .filter((name) => name.endsWith('.ts') && !name.split(path.sep).includes('node_modules'));
  });
}

/** Specs, and the contracts that specs run over several implementations. */
const holdsTitles = (file) => file.endsWith('.spec.ts') || file.split(path.sep).includes('testing');

/** Every id that opens a title, with its file; a title that is skipped promises nothing. */
function citations(file) {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(titleIds)].flatMap((match) => {
    const before = text.slice(Math.max(0, match.index - 300), match.index);
    if (turnedOff.test(before)) return [];
    return [...match[2].matchAll(/\[([^\]]+)\]/g)].map((id) => ({ id: id[1], file }));
  });
}

function judge(promises, cited) {
  const faults = [];
  for (const { id, file } of cited) {
    if (!promises.has(id) && !fieldCase.test(id))
      faults.push(`${file} cites [${id}], which is no promise and no field case.`);
  }
  for (const [id, isNotYet] of promises) {
    const files = new Set(cited.filter((citation) => citation.id === id).map((citation) => citation.file));
    if (!isNotYet && files.size === 0) faults.push(`No spec title cites [${id}].`);
    if (isNotYet && files.size > 0) {
      faults.push(
        `[${id}] is cited by ${[...files].join(', ')}: move it out of "Not yet kept" in ${document}.`,
      );
    }
  }
  return faults;
}

function table(promises, cited) {
  const rows = [...promises].map(([id, isNotYet]) => {
    const own = cited.filter((citation) => citation.id === id);
    const files = new Set(own.map((citation) => citation.file)).size;
    return [id, String(own.length), String(files), isNotYet ? 'not yet kept' : ''];
  });
  const lines = [['promise', 'titles', 'files', ''], ...rows];
  return lines.map(([id, titles, files, note]) =>
    `${id.padEnd(8)} ${titles.padStart(6)} ${files.padStart(6)}  ${note}`.trimEnd(),
  );
}

const text = readFileSync(path.join(root, document), 'utf8');
const { promises, faults: badRows } = readPromises(text);
const cited = typescriptFiles().filter(holdsTitles).flatMap(citations);
const cases = new Set(cited.map((citation) => citation.id).filter((id) => fieldCase.test(id)));
const faults = [...badRows, ...missingPaths(text), ...judge(promises, cited)];

process.stdout.write(`${table(promises, cited).join('\n')}\n\n${cases.size} field cases are cited.\n`);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
