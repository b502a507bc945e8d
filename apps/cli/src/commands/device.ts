import { findPart } from '../target/installed-part.ts';
import type { Command } from '../terminal/command.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { runForeground } from '../terminal/foreground.ts';

export const device: Command = {
  name: 'device',
  summary: 'find hardware, decode recordings of it, check a configuration, back up and restore',

  async run(args) {
    const part = findPart('device', process.env);
    if (part === undefined) {
      throw new CommandFailed('"heliograph device" comes with a device: none is installed here');
    }
    return await runForeground(part.main, { ...part, args, cwd: process.cwd(), readsInput: true });
  },
};
