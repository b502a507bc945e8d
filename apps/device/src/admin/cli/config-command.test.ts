import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../../../test/admin/cli/run-program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'device-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('heliograph device config writes an example where there is no file, and checks it from then on', async () => {
  const file = join(folder, 'device.yaml');
  const env = { DEVICE_DATA: folder };
  expect(await runProgram(['config'], { env })).toEqual({
    code: 0,
    stdout: `${file} was not there: an example is now`,
    stderr: '',
  });
  expect((await runProgram(['config'], { env })).stdout).toBe(`${file} can be used; 0 connections`);
  writeFileSync(file, 'connections: [{driver: sunspec, bus: "modbus-tcp://h"}]');
  expect((await runProgram(['config', file])).stdout).toBe(`${file} can be used; 1 connection`);
});

it('heliograph device config --set changes settings, whatever the file has, and writes nothing that could not be used', async () => {
  const file = join(folder, 'set.yaml');
  const set = (...pairs: string[]) =>
    runProgram(['config', file, ...pairs.flatMap((pair) => ['--set', pair])]);
  writeFileSync(file, 'mdns: false # mine\n');
  for (const _time of [1, 2]) {
    expect((await set('cloud_url=https://cloud.example.org', 'history.max_size_mb=200')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(
      'mdns: false # mine\ncloud_url: https://cloud.example.org\nhistory:\n  max_size_mb: 200\n',
    );
  }
  const before = readFileSync(file, 'utf8');
  expect(await set('mdns=maybe')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/mdns: must be true or false/),
  });
  expect(await set('mdns')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/must be a name and a value/),
  });
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect((await set('history=')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('mdns: false # mine\ncloud_url: https://cloud.example.org\n');
});

it('heliograph device config takes no word for the name of a new file', async () => {
  const word = join(folder, 'check');
  expect(await runProgram(['config', word])).toEqual({
    code: 2,
    stdout: '',
    stderr: `heliograph device config: There is no file "${word}", and a new one must end in .yaml (see "heliograph device config --help")`,
  });
  expect(existsSync(word)).toBe(false);
  writeFileSync(word, 'mdns: false');
  expect((await runProgram(['config', word])).stdout).toBe(`${word} can be used; 0 connections`);
  const { code, stderr } = await runProgram(['config', 'check', word]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('is one argument too many')]);
});

it('heliograph device config prints every problem of a file', async () => {
  const file = join(folder, 'wrong.yaml');
  writeFileSync(file, 'mdns: maybe\nfoo: 1\n');
  const { code, stderr } = await runProgram(['config', file]);
  expect(code).toBe(1);
  expect(stderr.split('\n')).toEqual([
    `heliograph device config: ${file}:1:7: mdns: must be true or false, not "maybe"`,
    expect.stringContaining(`${file}:2:1: foo: there is no setting of this name`),
  ]);
});

it.each(['config', 'notify'])(
  'heliograph device %s without a file touches none in the working directory',
  async (command) => {
    const before = process.cwd();
    const empty = mkdtempSync(join(folder, 'empty-'));
    process.chdir(empty);
    try {
      expect(await runProgram([command])).toEqual({
        code: 2,
        stdout: '',
        stderr: `heliograph device ${command}: <file> is missing, and neither DEVICE_CONFIG nor DEVICE_DATA names one (see "heliograph device ${command} --help")`,
      });
      expect(readdirSync(empty)).toEqual([]);
    } finally {
      process.chdir(before);
    }
  },
);

it('heliograph device notify names a file that is not there', async () => {
  const env = { DEVICE_DATA: join(folder, 'nowhere') };
  expect(await runProgram(['notify'], { env })).toEqual({
    code: 1,
    stdout: '',
    stderr: `heliograph device notify: There is no file ${join(folder, 'nowhere/device.yaml')}`,
  });
});
