import { describe, expect, it } from '@jest/globals';
import { pickEnvironment, withoutSecrets } from './environment.js';

describe('the environment of what an agent starts', () => {
  it('[SEC-1] holds no key and no address of ours', () => {
    const secrets = {
      DATABASE_URL: '1',
      REDIS_URL: '1',
      PGPASSWORD: '1',
      OFFSHOOT_API_KEY: '1',
      OFFSHOOT_SCRIPTED_BASE_URL: '1',
      OPENAI_API_KEY: '1',
      ANTHROPIC_API_KEY: '1',
      GITHUB_TOKEN: '1',
      AWS_SECRET_ACCESS_KEY: '1',
      npm_config__password: '1',
    };
    expect(withoutSecrets(secrets)).toEqual({});
  });

  it('keeps what a program needs', () => {
    const env = { PATH: '/bin', HOME: '/root', LANG: 'C', TMPDIR: '/tmp' };
    expect(withoutSecrets(env)).toEqual(env);
  });
});

describe('a picked environment', () => {
  it('holds the named variables alone', () => {
    expect(pickEnvironment(['PATH'], { PATH: '/bin', HOME: '/root' })).toEqual({ PATH: '/bin' });
  });
});
