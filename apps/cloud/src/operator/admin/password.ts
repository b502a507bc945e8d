import { randomInt } from 'node:crypto';
import { Questions } from '@heliograph/kit/terminal';
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
  using questions = new Questions({ isSecret: true });
  const password = await questions.answerTo('Password: ');
  if (password === undefined) throw new CommandFailed('There was no password on standard input');
  return password;
}
