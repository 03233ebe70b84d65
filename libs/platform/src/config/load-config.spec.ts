import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { ConfigError } from './config-error.js';
import { loadConfig } from './load-config.js';

const refusal = (env: NodeJS.ProcessEnv): ConfigError => {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
  }
  throw new Error('The configuration was accepted.');
};

describe('the configuration', () => {
  it('has the published defaults when nothing is set', () => {
    expect(loadConfig({})).toEqual({
      http: { host: '127.0.0.1', port: 4400 },
      dataDir: join(process.cwd(), '.offshoot'),
      workers: 1,
      workerConcurrency: 16,
      logLevel: 'info',
      openai: {},
      anthropic: {},
    });
  });

  it('takes every variable', () => {
    const config = loadConfig({
      PORT: '0',
      HOST: '::1',
      OFFSHOOT_DATA_DIR: '/var/lib/off shoot',
      OFFSHOOT_API_KEY: 'osk_0123456789abcdef',
      DATABASE_URL: 'postgres://u:p@db:5432/x',
      REDIS_URL: 'rediss://cache:6380',
      OFFSHOOT_WORKERS: '0',
      OFFSHOOT_WORKER_CONCURRENCY: '64',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_API_KEY: 'a',
      ANTHROPIC_BASE_URL: 'https://models.example',
      ANTHROPIC_API_KEY: 'b',
      OFFSHOOT_CONFIG: 'offshoot.yaml',
      OFFSHOOT_SCRIPTS: 'scripts',
      OFFSHOOT_SCRIPTED_BASE_URL: 'http://127.0.0.1:1',
      OFFSHOOT_LOG_LEVEL: 'debug',
    });
    expect(config).toEqual({
      http: { host: '::1', port: 0 },
      dataDir: '/var/lib/off shoot',
      apiKey: 'osk_0123456789abcdef',
      databaseUrl: 'postgres://u:p@db:5432/x',
      redisUrl: 'rediss://cache:6380',
      workers: 0,
      workerConcurrency: 64,
      openai: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'a' },
      anthropic: { baseUrl: 'https://models.example', apiKey: 'b' },
      configFile: join(process.cwd(), 'offshoot.yaml'),
      scriptsDir: join(process.cwd(), 'scripts'),
      scriptedBaseUrl: 'http://127.0.0.1:1',
      logLevel: 'debug',
    });
  });

  it('takes an empty variable for an absent one', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ', REDIS_URL: '' })).toEqual(loadConfig({}));
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '44.5'],
    ['PORT', '0x10'],
    ['HOST', '127.0.0.1 '],
    ['OFFSHOOT_API_KEY', 'secret'],
    ['DATABASE_URL', 'mysql://db/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['REDIS_URL', 'localhost:6379'],
    ['OFFSHOOT_WORKERS', 'many'],
    ['OFFSHOOT_WORKER_CONCURRENCY', '0'],
    ['OPENAI_BASE_URL', 'models.example'],
    ['ANTHROPIC_BASE_URL', 'ftp://models.example'],
    ['OFFSHOOT_LOG_LEVEL', 'loud'],
  ])('refuses %s=%s and names the variable', (variable, value) => {
    const error = refusal({ [variable]: value });
    expect(error.issues.map((issue) => issue.variable)).toEqual([variable]);
    expect(error.message).toContain(`${variable} must be `);
  });

  it('names all bad variables at once, and what is accepted', () => {
    const { message } = refusal({ PORT: 'x', OFFSHOOT_WORKERS: 'y' });
    expect(message).toContain('PORT must be a whole number from 0 to 65535.');
    expect(message).toContain('OFFSHOOT_WORKERS must be a whole number from 0 to 256.');
  });

  it('[SEC-1] never repeats the value, which may be a secret', () => {
    expect(
      refusal({ OFFSHOOT_API_KEY: 'hunter2', DATABASE_URL: 'mysql://u:hunter2@db' }).message,
    ).not.toContain('hunter2');
  });
});
