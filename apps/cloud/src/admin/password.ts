import { randomInt } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandFailed } from './command.ts';

/** Without characters that are easily confused. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A password that can be read out on the telephone: 116 bits, with all required kinds of characters. */
export function newPassword(): string {
  for (;;) {
    const groups = Array.from({ length: GROUPS }, () =>
      Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
    );
    const password = groups.join('-');
    if (/[a-z]/.test(password) && /[A-Z]/.test(password)) return password;
  }
}

/** The first line of standard input; a terminal does not echo it. @throws CommandFailed */
export async function readPassword(): Promise<string> {
  const { stdin, stderr } = process;
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Turns off the echo before the prompt, so that the first characters are not shown.
  const lines = createInterface({ input: stdin, output: silence, terminal: stdin.isTTY });
  if (stdin.isTTY) stderr.write('Password: ');
  try {
    for await (const line of lines) return line;
    throw new CommandFailed('There was no password on standard input');
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}
