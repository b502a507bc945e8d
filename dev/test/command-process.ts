/**
 * Runs an installed command as often as its parent asks, each time with other arguments: a process for each would mostly start Node.
 * The parent gives the program's path as argument.
 */
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { CommandCall, CommandOutcome } from './installed-command.ts';

const [node = '', , program = ''] = process.argv;
const url = pathToFileURL(program);
const streams = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
const ownEnv = process.env;

/** Evaluates the program once more: its modules but for the first stay loaded. */
async function run({ id, args, env, input }: CommandCall): Promise<CommandOutcome> {
  let output = '';
  const printed = () =>
    new Writable({
      write(chunk, _encoding, done) {
        output += String(chunk);
        done();
      },
    });
  const own = { stdin: Readable.from([input]), stdout: printed(), stderr: printed() };
  for (const [name, value] of Object.entries(own)) Object.defineProperty(process, name, { value });
  process.env = { ...ownEnv, ...env };
  process.argv = [node, program, ...args];
  process.exitCode = 0;
  try {
    await import(`${url}?${id}`);
    return { id, output, code: process.exitCode };
  } finally {
    for (const [name, value] of Object.entries(streams)) Object.defineProperty(process, name, { value });
    process.exitCode = 0;
  }
}

process.on('message', async (call: CommandCall) => process.send?.(await run(call)));
