import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../src/testing/folders.ts';
import { type CausedLine, LogLines } from './log-lines.ts';

const LOST: CausedLine = { log: 'device', pattern: /"connection lost"/, why: 'the cable is pulled' };

const line = (level: number, msg: string): string => `${JSON.stringify({ level, time: 1, msg })}\n`;

const DUE = line(40, 'connection lost');

it.each([
  ['a line of information', 'device', line(30, 'hello'), false],
  ['a warning that is due', 'device', DUE, false],
  ['a warning that is due in another log', 'cloud', DUE, true],
  ['another warning', 'device', line(40, 'the disk is full'), true],
  ['an error', 'proxy', line(50, 'no port'), true],
  ['a line that is no JSON', 'cloud', '(node:7) Warning: too many listeners\n', true],
  ['a JSON line without a level', 'cloud', '{"msg":"hello"}\n', true],
  ['a note of PostgreSQL', 'postgres', '2026-11-28 UTC [7] LOG:  checkpoint complete\n', false],
  ['an error of PostgreSQL', 'postgres', '2026-11-28 UTC [7] ERROR:  deadlock detected\n', true],
  ['a word of the plant', 'plant', 'RangeError: x\n', true],
])(
  '%s in the log of the %s is reported unless the present step causes it',
  async (_what, name, text, isReported) => {
    await using folder = await temporaryFolder();
    const log = (file: string, lines: string) => appendFile(join(folder.path, `${file}.log`), lines);
    const logs = new LogLines(folder.path);
    await log('device', line(30, 'starts'));
    await logs.during([LOST], async () => {
      await log(name, text);
      await log('device', DUE);
    });
    expect(logs.unexplained()).toEqual(isReported ? [`${name}: ${text.trimEnd()}`] : []);
  },
);

it.each(['before', 'after'])('a warning %s the step that causes such a line is reported', async (moment) => {
  await using folder = await temporaryFolder();
  const log = () => appendFile(join(folder.path, 'device.log'), DUE);
  const logs = new LogLines(folder.path);
  if (moment === 'before') await log();
  await logs.during([LOST], log);
  if (moment === 'after') await log();
  expect(logs.unexplained()).toEqual([`device: ${DUE.trimEnd()}`]);
});

it('a step that does not bring about a line that it causes fails', async () => {
  await using folder = await temporaryFolder();
  const logs = new LogLines(folder.path);
  await appendFile(join(folder.path, 'device.log'), DUE);
  await expect(logs.during([LOST], async () => undefined, { seconds: 0 })).rejects.toThrow(
    /the cable is pulled/,
  );
});

it('a warning in the full log before the present one is reported', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'cloud.log.1'), line(40, 'the disk is full'));
  await writeFile(join(folder.path, 'cloud.log'), '');
  expect(new LogLines(folder.path).unexplained()).toHaveLength(1);
});
