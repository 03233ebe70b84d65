import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { sessionUrl } from './session-url.js';

const traits = {
  applicationName: 'offshoot-worker-1',
  settings: { search_path: 'bullmq', tcp_user_timeout: 3000 },
};

function seenByDriver(url: string): Record<string, unknown> {
  const client = new Client({ connectionString: sessionUrl(url, traits) });
  return (client as unknown as { connectionParameters: Record<string, unknown> }).connectionParameters;
}

describe('sessionUrl', () => {
  it.each([
    'postgres://u:p@localhost:5432/db',
    'postgres://u:p@localhost/db?sslmode=disable',
    'postgres://u:p@localhost/db?application_name=mine&options=-c%20search_path%3Dother',
    'postgres://u:p%20%25w@/db?host=/var/run/postgresql',
  ])('name and settings win over what %s says', (url) => {
    expect(seenByDriver(url)).toMatchObject({
      application_name: 'offshoot-worker-1',
      options: '-c search_path=bullmq -c tcp_user_timeout=3000',
      database: 'db',
    });
  });
});
