/** What the store needs of a connection or pool; pg's pool, client and a pool's client all fit. */
export interface SqlClient {
  query(
    statement: SqlStatement,
  ): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>;
}

export interface SqlStatement {
  /** Named statements are prepared once a connection. */
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
  readonly types?: { getTypeParser(): (text: string) => unknown };
}

// Wide integers must not pass through doubles and times not through milliseconds: every column is read as its text.
const asText = { getTypeParser: () => (text: string) => text };

/** Runs a statement and reads every column as the text that PostgreSQL prints; a null stays null. */
export async function queryText<Row>(
  client: SqlClient,
  name: string,
  text: string,
  values: unknown[],
): Promise<readonly Row[]> {
  const { rows } = await client.query({ name, text, values, types: asText });
  return rows as readonly Row[];
}
