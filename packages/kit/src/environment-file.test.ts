import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENVIRONMENT_FILES } from '../test/environment-files.ts';
import { ConfigError } from './env.ts';
import { parseEnvironmentFile, readEnvironmentFile } from './environment-file.ts';

describe('an environment file', () => {
  const files = ENVIRONMENT_FILES.map(([what, text, variables]) => ({ what, text, variables }));
  it.each(files)('a file with $what is read as systemd reads it', ({ text, variables }) => {
    expect(parseEnvironmentFile(text)).toEqual(variables);
  });

  describe('on the disk', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'heliograph-environment-'));
    });
    afterAll(() => rm(folder, { recursive: true }));

    it.each([
      ['bytes that are not UTF-8', Buffer.from([0x41, 0x3d, 0xff])],
      ['a zero byte', Buffer.from('A=b\0')],
    ])('a file with %s is refused as a whole', async (_what, bytes) => {
      const path = join(folder, 'file');
      await writeFile(path, bytes);
      expect(() => readEnvironmentFile(path)).toThrow(ConfigError);
      expect(() => readEnvironmentFile(path)).toThrow(`${path} is not text in UTF-8`);
    });
  });
});
