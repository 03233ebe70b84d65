import { describe, expect, it } from '@jest/globals';
import { readOptions } from './read-options.js';

describe('readOptions', () => {
  it('the command line wins over the environment, and any free port is the default', () => {
    expect(readOptions([], {})).toEqual({ port: 0 });
    expect(readOptions([], { MODEL_SERVER_PORT: '8080', MODEL_SERVER_SCRIPTS: 's' })).toEqual({
      port: 8080,
      scriptsDirectory: 's',
    });
    expect(
      readOptions(['--port', '9', '--window=100', '--record', 'r'], { MODEL_SERVER_PORT: '8080' }),
    ).toEqual({
      port: 9,
      windowTokens: 100,
      recordDirectory: 'r',
    });
  });
  it.each([[['--port', 'x']], [['--port', '65536']], [['--prot', '1']], [['stray']]])(
    '%j is refused',
    (args) => {
      expect(() => readOptions(args, {})).toThrow();
    },
  );
});
