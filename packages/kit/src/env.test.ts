import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, Env } from './env.ts';

const read = <T>(value: string | undefined, get: (env: Env) => T): T =>
  get(new Env(value === undefined ? {} : { X: value }));

describe('an environment variable', () => {
  it.each<[string, string | undefined, (env: Env) => unknown, unknown]>([
    ['text', ' a b ', (env) => env.string('X'), 'a b'],
    ['text or its default', undefined, (env) => env.string('X', 'd'), 'd'],
    ['an empty text, which is none', '  ', (env) => env.optional('X'), undefined],
    ['a whole number', '42', (env) => env.integer('X'), 42],
    ['a negative number', '-3', (env) => env.integer('X', { min: -5 }), -3],
    ['a number or its default', '', (env) => env.integer('X', { fallback: 0 }), 0],
    ['a port', '0', (env) => env.port('X'), 0],
    ['one of some words', 'b', (env) => env.oneOf('X', ['a', 'b'], 'a'), 'b'],
    ['one of some words or its default', undefined, (env) => env.oneOf('X', ['a', 'b'], 'a'), 'a'],
    ['a yes or no', 'false', (env) => env.boolean('X', true), false],
    [
      'a URL, without its last slash',
      'https://c.example/base/',
      (env) => env.url('X'),
      'https://c.example/base',
    ],
  ])('is read as %s', (_what, value, get, result) => {
    expect(read(value, get)).toEqual(result);
  });

  it.each<[string | undefined, (env: Env) => unknown, string]>([
    [undefined, (env) => env.string('X'), 'X is not set'],
    [' ', (env) => env.integer('X'), 'X is not set'],
    ['4k', (env) => env.integer('X', { max: 9 }), 'X must be a whole number from 0 to 9, not "4k"'],
    ['1.5', (env) => env.integer('X', { max: 9 }), 'X must be a whole number from 0 to 9, not "1.5"'],
    ['1e3', (env) => env.integer('X', { max: 9 }), 'X must be a whole number from 0 to 9, not "1e3"'],
    ['10', (env) => env.integer('X', { max: 9 }), 'X must be a whole number from 0 to 9, not "10"'],
    ['65536', (env) => env.port('X', 4000), 'X must be a whole number from 0 to 65535, not "65536"'],
    ['c', (env) => env.oneOf('X', ['a', 'b'], 'a'), 'X must be one of a, b, not "c"'],
    ['yes', (env) => env.boolean('X', true), 'X must be one of true, false, not "yes"'],
    ['localhost:4000', (env) => env.url('X'), 'X must be an http or https URL, not "localhost:4000"'],
    ['ftp://c.example', (env) => env.url('X'), 'X must be an http or https URL, not "ftp://c.example"'],
  ])('%j is refused by its name', (value, get, message) => {
    expect(() => read(value, get)).toThrow(new ConfigError(message));
  });
});

describe('a secret', () => {
  it('a secret is the variable, or the content of the file that NAME_FILE names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'secret-'));
    const file = join(folder, 'secret');
    await writeFile(file, 'of the file\n');
    expect(new Env({ X: 'of the variable' }).secret('X')).toBe('of the variable');
    expect(new Env({ X_FILE: file }).secret('X')).toBe('of the file');
    expect(new Env({}).secret('X')).toBeUndefined();
    expect(() => new Env({ X: 'a', X_FILE: file }).secret('X')).toThrow(
      new ConfigError('X and X_FILE exclude each other'),
    );
    expect(() => new Env({ X_FILE: join(folder, 'none') }).secret('X')).toThrow(
      /^X_FILE: .*none cannot be read: /,
    );
    await rm(folder, { recursive: true });
  });
});
