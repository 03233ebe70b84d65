import { counted } from '../policy/counted.js';
import { formatTable } from '../policy/format-table.js';

/** What an archiving answers. */
export interface ArchiveAnswer {
  readonly archived: readonly {
    readonly root: string;
    readonly file?: string;
    readonly agents: number;
    readonly events: number;
  }[];
  readonly kept: readonly {
    readonly root: string;
    readonly reasons: readonly { readonly reason: string; readonly subject: string }[];
  }[];
  readonly payloads: number;
}

/** An archiving for people: what went where, what stays and why, then a summary. */
export function printArchive({ archived, kept, payloads }: ArchiveAnswer, isDryRun: boolean): string {
  const went = archived.map(({ root, file = '', agents, events }) => [
    root,
    String(agents),
    String(events),
    file,
  ]);
  const stays = kept.flatMap(({ root, reasons }) =>
    reasons.map(({ reason, subject }) => [root, reason, subject]),
  );
  const verb = isDryRun ? 'would be archived' : 'archived';
  return [
    went.length === 0 ? '' : `${formatTable(['SESSION', 'AGENTS', 'EVENTS', 'FILE'], went)}\n`,
    stays.length === 0 ? '' : `${formatTable(['KEPT', 'WHY', 'BECAUSE OF'], stays)}\n`,
    `${counted(archived.length, 'session')} ${verb}, ${kept.length} kept`,
    payloads === 0
      ? '.\n'
      : `; ${counted(payloads, 'payload')} that nobody refers to any more ${payloads === 1 ? 'was' : 'were'} deleted.\n`,
  ].join('');
}
