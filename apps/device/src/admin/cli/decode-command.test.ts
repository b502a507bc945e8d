import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { MetricValue } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { type Finished, runProgram } from '../../../test/admin/cli/run-program.ts';
import type { DecodedRow } from './decode-command.ts';

const FILES = globSync(join(import.meta.dirname, '../../drivers/*/captures/*.json'));
const fileOf = (name: string): string => FILES.find((file) => basename(file) === `${name}.json`) ?? name;

const decode = (...args: string[]): Promise<Finished> => runProgram(['decode', ...args]);
const rows = ({ stdout }: Finished): readonly DecodedRow[] => JSON.parse(stdout) as DecodedRow[];
const valuesOf = (finished: Finished): Record<string, MetricValue> =>
  Object.fromEntries(rows(finished).map(({ topic, value }) => [topic, value]));

interface Capture {
  readonly expected_topics?: Readonly<Record<string, MetricValue>>;
  readonly expected?: { readonly must_be_rejected?: true };
}

describe('heliograph device decode', () => {
  it.each(FILES.map((file) => [basename(file), file]))('%s', async (_name, file) => {
    const capture = JSON.parse(readFileSync(file, 'utf8')) as Capture;
    const finished = await decode(file);
    if (capture.expected?.must_be_rejected) {
      expect(finished).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^heliograph device decode: ./),
      });
    }
    for (const [topic, expected] of Object.entries(capture.expected_topics ?? {})) {
      const value = valuesOf(finished)[topic];
      // Drivers may round what their quantity promises no more digits of.
      if (typeof expected === 'number')
        expect(Math.abs(Number(value) - expected), topic).toBeLessThanOrEqual(0.5);
      else expect(value, topic).toBe(expected);
    }
  });

  it('rows are printed as by a read, the totals first', async () => {
    const finished = await decode(fileOf('sunspec_solaredge_inverter_103'));
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect(rows(finished)[0]).toEqual({
      topic: 'total/pv_power',
      device: 'totals',
      number: null,
      group: 'Status',
      name: 'PV power',
      unit: 'W',
      value: 1118,
    });
    expect(rows(finished)).toContainEqual({
      topic: 'inverter_1/pv_power',
      device: 'inverters',
      number: 0,
      group: 'Status',
      name: 'PV power',
      unit: 'W',
      value: 1117.7,
    });
  });

  it('units of several recordings are numbered in their order, and added up', async () => {
    const one = fileOf('sunspec_solaredge_meter_import');
    const values = valuesOf(await decode(one, fileOf('sunspec_solaredge_meter_203'), one));
    expect(values).toMatchObject({
      'inverter_1/grid_power': 91,
      'inverter_2/grid_power': -5,
      'inverter_3/grid_power': 91,
      'total/grid_power': 177,
    });
  });

  it('standard input is decoded with the given driver', async () => {
    const { protocol: _, ...nameless } = JSON.parse(
      readFileSync(fileOf('sunspec_solaredge_inverter_103'), 'utf8'),
    );
    const input = JSON.stringify(nameless);
    const printed = await runProgram(['decode', '--driver', 'sunspec', '-'], { input });
    expect(valuesOf(printed)).toMatchObject({ 'inverter_1/ac_output_power': 1101 });
    expect(await runProgram(['decode', '-'], { input })).toMatchObject({
      code: 1,
      stderr: 'heliograph device decode: -: it names no "protocol"; --driver names the driver to use',
    });
  });

  it('a file with a byte order mark is read', async () => {
    const input = `\uFEFF${readFileSync(fileOf('pi30_qmod_battery'), 'utf8')}`;
    expect(valuesOf(await runProgram(['decode', '-'], { input }))).toEqual({
      'inverter_1/device_mode': 'Battery',
    });
  });

  it('the example of docs/recordings.md is decoded', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../../docs/recordings.md'), 'utf8');
    const [, input = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
    expect(valuesOf(await runProgram(['decode', '-'], { input }))).toEqual({
      'inverter_1/device_mode': 'Battery',
    });
  });

  const UNKNOWN_REGISTER = {
    protocol: 'victron_vedirect_hex',
    exchanges: [{ request: ':777770060\n', response: ':7777700015F\n' }],
  };

  it.each([
    ['SunSpec', () => decode(fileOf('sunspec_der702_wire'))],
    ['VE.Direct', () => runProgram(['decode', '-'], { input: JSON.stringify(UNKNOWN_REGISTER) })],
  ])('a recording of %s without any metric is reported', async (_name, run) => {
    expect(await run()).toEqual({
      code: 0,
      stdout: '[]',
      stderr: 'heliograph device decode: nothing that was recorded is a metric',
    });
  });

  it.each([
    ['what is not JSON', '{"protocol":', 'this is not JSON'],
    ['another document', '[1, 2]', /^this is no recording: /],
    ['an unknown protocol', '{"protocol":"morse"}', /^no driver speaks "morse"; what they speak: .*sunspec/],
    [
      'bytes that are no hexadecimal',
      '{"protocol":"sunspec","response":{"hex":"0x12"}}',
      'this is no recording: response.hex is not written in hexadecimal, two digits a byte',
    ],
    [
      'half a byte',
      '{"protocol":"sunspec","response":{"hex":"123"}}',
      /response.hex is not written in hexadecimal/,
    ],
    [
      'a register that cannot be',
      '{"protocol":"sunspec","registers":{"40000":65536}}',
      /^this is no recording: registers.40000 /,
    ],
    ['no frame at all', '{"protocol":"sunspec","response":null}', /^there are no Modbus TCP frames in it/],
    ['a truncated frame', '{"protocol":"sunspec","model":103,"response":{"hex":"00010000"}}', /too short/],
  ])('the command refuses %s with the reason', async (_what, input, reason) => {
    const { code, stdout, stderr } = await runProgram(['decode', '-'], { input });
    expect([code, stdout]).toEqual([1, '']);
    const [, reported] = /^heliograph device decode: -: (.*)$/.exec(stderr) ?? [];
    expect(reported).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
  });

  it('the command prints no rows when one of several files is refused, and every reason', async () => {
    const finished = await decode(
      fileOf('sunspec_solaredge_inverter_103'),
      'nowhere.json',
      import.meta.dirname,
    );
    expect([finished.code, finished.stdout]).toEqual([1, '']);
    expect(finished.stderr.split('\n')).toEqual([
      'heliograph device decode: nowhere.json: there is no such file',
      expect.stringContaining('EISDIR'),
    ]);
  });

  it.each([
    [['decode'], '<file> is missing (see "heliograph device decode --help")'],
    [['decode', '--driver', 'morse', 'x'], /^There is no driver "morse"; there is .*sunspec/],
    [['fly'], 'There is no command "fly" (see "heliograph device --help")'],
    [['decode', '--fast', 'x'], /Unknown option '--fast'/],
  ])('the arguments %j are refused', async (args, expected) => {
    const { code, stderr } = await runProgram(args);
    expect(code).toBe(2);
    const [, reported = ''] = /^heliograph device(?: decode)?: (.*)$/.exec(stderr) ?? [];
    expect(reported).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });

  it('--help explains the command', async () => {
    expect(await runProgram(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('probe') });
    expect(await runProgram([])).toMatchObject({ code: 2 });
    for (const word of ['probe', 'decode', 'config']) {
      expect((await runProgram([word, '--help'])).stdout).toMatch(new RegExp(`^heliograph device ${word}`));
    }
  });
});
