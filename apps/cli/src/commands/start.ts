import { existsSync } from 'node:fs';
import { expectArguments, parseArguments } from '@heliograph/kit/terminal';
import { CHECKOUT, dataFolder, programAt } from '../target/run-file.ts';
import type { Command } from '../terminal/command.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { runForeground } from '../terminal/foreground.ts';

export const start: Command = {
  name: 'start',
  summary: 'run the whole system on this machine',
  help: `heliograph start [--plant home|full]

Runs the cloud, a proxy, a device and a simulated home on this machine, as "npm start" does, until Ctrl-C.

  --plant full     simulates hardware behind every kind of connection, and not one inverter alone

  HELIOGRAPH_DATA  data folder (default .heliograph in the checkout)
  HELIOGRAPH_PORT  port of the cloud (default 4000); the proxy and the device take the next two`,

  async run(args) {
    const { values, positionals } = parseArguments(args, { plant: { type: 'string' } });
    expectArguments(positionals, []);
    const plant = values.plant === undefined ? [] : ['--plant', values.plant];
    const main = programAt('dev/src/main');
    if (!existsSync(main))
      throw new CommandFailed('"heliograph start" works in a checkout of the project only');
    // npm's own mark of a script: the system then stops by itself when the process that started it is gone.
    const { npm_lifecycle_event = 'start' } = process.env;
    const env = { ...process.env, npm_lifecycle_event, HELIOGRAPH_DATA: dataFolder(process.env) };
    return await runForeground(main, { args: plant, cwd: CHECKOUT, env });
  },
};
