import { existsSync } from 'node:fs';
import { COMPILE_CACHE, programAt } from '../target/run-file.ts';
import type { Command } from '../terminal/command.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { runForeground } from '../terminal/foreground.ts';

export const device: Command = {
  name: 'device',
  summary: 'find hardware, decode recordings of it, check a configuration, back up and restore',

  async run(args) {
    const main = programAt('apps/device/src/cli/main');
    if (!existsSync(main)) {
      throw new CommandFailed('"heliograph device" comes with a device: it is not installed here');
    }
    const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env };
    return await runForeground(main, { args, cwd: process.cwd(), env, readsInput: true });
  },
};
