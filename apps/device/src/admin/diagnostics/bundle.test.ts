import { silentLogger } from '@heliograph/kit';
import { describe, expect, it } from 'vitest';
import { makeFiles } from './bundle.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { Redactor } from './redactor.ts';

const redactor = new Redactor({ secrets: ['swordfish'], identifiers: [] }, new Pseudonyms());
const KIB = 1024;

describe('the files of a diagnostic bundle', () => {
  it('a file that cannot be made is left out alone, and its error stays on the device', async () => {
    const fail = () => {
      throw new Error('the disk at /data is gone');
    };
    const content = await makeFiles(
      [
        { name: 'energy.json', make: fail },
        { name: 'log.txt', make: () => 'a line\n' },
      ],
      redactor,
      silentLogger,
    );
    expect(content.files.map(({ name }) => name)).toEqual(['log.txt']);
    expect(content.leftOut).toEqual([{ name: 'energy.json', reason: 'it could not be made' }]);
  });

  it('a file that still has a known secret after its redaction is left out', async () => {
    // Its removed middle joins what is left to the secret.
    const rebuilding = new Redactor(
      { secrets: ['swordfish', '[removed]x'], identifiers: [] },
      new Pseudonyms(),
    );
    const text = 'swordfishx';
    const content = await makeFiles([{ name: 'log.txt', make: () => text }], rebuilding, silentLogger);
    expect(content).toEqual({ files: [], leftOut: [{ name: 'log.txt', reason: 'its redaction failed' }] });
  });

  it('a file that would make the bundle too large is left out, and smaller ones after it are not', async () => {
    const content = await makeFiles(
      [
        { name: 'log.txt', make: () => 'x '.repeat(40 * KIB) },
        { name: 'links.json', make: () => ({ connections: [] }) },
      ],
      redactor,
      silentLogger,
      128 * KIB,
    );
    expect(content.files.map(({ name }) => name)).toEqual(['links.json']);
    expect(content.leftOut).toEqual([{ name: 'log.txt', reason: 'the bundle would be larger than 10 MiB' }]);
  });
});
