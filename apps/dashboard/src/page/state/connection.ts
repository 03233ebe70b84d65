/**
 * How the page is fed. `connecting`: before the first frame. `live`: every fact arrives as it is committed.
 * `reconnecting`: the stream is down, it resumes from the last id. `catching-up`: a gap was answered, everything is
 * read again. `signed-out`: the server refuses the cookie; nothing is tried until a person signs in.
 */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'catching-up' | 'signed-out';

/** What a person is told about a connection, in one short line. */
export function describeConnection(connection: Connection): string {
  switch (connection) {
    case 'connecting':
      return 'Connecting';
    case 'live':
      return 'Live';
    case 'reconnecting':
      return 'Reconnecting, what you see may be old';
    case 'catching-up':
      return 'Catching up after a gap';
    case 'signed-out':
      return 'Signed out: open the link that the server printed';
  }
}

/** Wait before the next attempt, with the share of chance (0 to 1) given by the caller: 1 s doubling to 30 s. */
export const retryDelayMs = (attempt: number, chance: number): number =>
  Math.min(30_000, 1000 * 2 ** attempt) * (0.5 + chance / 2);
