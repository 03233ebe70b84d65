import { describe, expect, it } from '@jest/globals';
import { createLogger, type Logger } from './create-logger.js';

const logged = (write: (logger: Logger) => void): { text: string; lines: Record<string, unknown>[] } => {
  const texts: string[] = [];
  write(createLogger('spec', { destination: { write: (text: string) => texts.push(text) } }));
  return { text: texts.join(''), lines: texts.map((text) => JSON.parse(text) as Record<string, unknown>) };
};
const key = 'osk_AbCdEfGhIjKlMnOpQrStUvWx';

describe('the log', () => {
  it('is one JSON object a line with name, level and time', () => {
    const { lines } = logged((logger) => {
      logger.child({ agent: 'a1' }).info({ epoch: 2 }, 'run started');
    });
    expect(lines).toEqual([
      expect.objectContaining({ name: 'spec', level: 'info', agent: 'a1', epoch: 2, msg: 'run started' }),
    ]);
    expect(lines[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it.each<[string, (logger: Logger) => void]>([
    ['a header', (logger) => logger.info({ req: { headers: { authorization: `Bearer ${key}` } } })],
    ['a header in capitals', (logger) => logger.info({ headers: { Authorization: `Basic ${key}` } })],
    ['a field', (logger) => logger.info({ apiKey: key, nested: [{ password: key }] })],
    ['a message', (logger) => logger.info(`rejected ${key} of the client`)],
    ['a message argument', (logger) => logger.info('rejected %s', key)],
    ['a bound field', (logger) => logger.child({ token: key }).info('hello')],
    [
      'the password of an address',
      (logger) => logger.info({ url: `postgres://offshoot:${key}@127.0.0.1:1/x` }),
    ],
    [
      'an error and its cause',
      (logger) => logger.error(new Error(`bad ${key}`, { cause: new Error(`Bearer ${key}`) })),
    ],
  ])('[SEC-1] never holds a secret that stands in %s', (_where, write) => {
    const { text, lines } = logged(write);
    expect(lines).toHaveLength(1);
    expect(text).not.toContain(key.slice(4));
  });

  it('keeps what an error says', () => {
    const { lines } = logged((logger) => {
      logger.error(
        { err: Object.assign(new Error('no space', { cause: new Error('disk') }), { code: 'ENOSPC' }) },
        'failed',
      );
    });
    expect(lines[0]?.['err']).toMatchObject({
      message: 'no space',
      code: 'ENOSPC',
      cause: { message: 'disk' },
    });
  });

  it('survives a value that holds itself', () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop['self'] = loop;
    expect(logged((logger) => logger.info({ loop })).lines).toHaveLength(1);
  });
});
