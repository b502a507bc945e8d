import { expect, it } from 'vitest';
import { runCommand } from '../../test/run-command.ts';

/** Two processes; a busy machine takes its time, in milliseconds. */
const TIMEOUT_MS = 60_000;

it(
  'heliograph device decodes standard input, and passes the exit code on',
  async () => {
    const recording = { protocol: 'sunspec', model: 1, response_is: 'registers', response: { hex: '0000' } };
    expect(await runCommand(['device', 'decode', '-'], {}, JSON.stringify(recording))).toMatchObject({
      code: 0,
      stdout: '[]\n',
    });
    expect(await runCommand(['device', 'decode', '-'], {}, 'nonsense')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'heliograph device decode: -: this is not JSON\n',
    });
    expect(await runCommand(['device', 'fly'])).toMatchObject({ code: 2 });
  },
  TIMEOUT_MS,
);
