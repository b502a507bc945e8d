import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../src/testing/folders.ts';
import { type CausedLine, LogLines } from './log-lines.ts';

const LOST: CausedLine = { log: 'device', pattern: /"connection lost"/, why: 'the cable is pulled' };

const line = (level: number, msg: string): string => `${JSON.stringify({ level, time: 1, msg })}\n`;

it.each([
  ['a line of information', 'device', line(30, 'hello'), false],
  ['a warning that is due', 'device', line(40, 'connection lost'), false],
  ['a warning that is due in another log', 'cloud', line(40, 'connection lost'), true],
  ['another warning', 'device', line(40, 'the disk is full'), true],
  ['an error', 'proxy', line(50, 'no port'), true],
  ['a line that is no JSON', 'cloud', '(node:7) Warning: too many listeners\n', true],
  ['a JSON line without a level', 'cloud', '{"msg":"hello"}\n', true],
  ['a note of PostgreSQL', 'postgres', '2026-11-28 UTC [7] LOG:  checkpoint complete\n', false],
  ['an error of PostgreSQL', 'postgres', '2026-11-28 UTC [7] ERROR:  deadlock detected\n', true],
  ['a word of the plant', 'plant', 'RangeError: x\n', true],
])(
  '%s in the log of the %s is reported unless a step has caused it',
  async (_what, name, text, isReported) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, `${name}.log`);
    await writeFile(file, line(30, 'starts'));
    const logs = new LogLines(folder.path);
    if (name === 'plant') await writeFile(file, '');
    logs.expect([LOST]);
    await appendFile(file, text);
    expect(logs.unexplained()).toEqual(isReported ? [`${name}: ${text.trimEnd()}`] : []);
  },
);

it('a warning before the step that causes such a line is reported', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'device.log');
  await writeFile(file, line(40, 'connection lost'));
  const logs = new LogLines(folder.path);
  logs.expect([LOST]);
  await appendFile(file, line(40, 'connection lost'));
  expect(logs.unexplained()).toHaveLength(1);
});

it('a warning in the full log before the present one is reported', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'cloud.log.1'), line(40, 'the disk is full'));
  await writeFile(join(folder.path, 'cloud.log'), '');
  expect(new LogLines(folder.path).unexplained()).toHaveLength(1);
});
