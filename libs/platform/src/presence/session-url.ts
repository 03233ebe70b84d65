/** What a connection says of itself and how its session is set up. */
export interface SessionTraits {
  /** Shown in pg_stat_activity; at most 63 bytes. */
  readonly applicationName: string;
  /** Server settings of the session, name to value; values hold no white space. */
  readonly settings: Readonly<Record<string, string | number>>;
}

/**
 * The URL of a session with these traits. They are appended because the pg driver prefers what the URL says to what its
 * options object says, and the last of two equal parameters wins; an `options` parameter of the given URL is replaced.
 */
export function sessionUrl(databaseUrl: string, traits: SessionTraits): string {
  const options = Object.entries(traits.settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const joint = databaseUrl.includes('?') ? '&' : '?';
  const name = `application_name=${encodeURIComponent(traits.applicationName)}`;
  return `${databaseUrl}${joint}${name}&options=${encodeURIComponent(options)}`;
}
