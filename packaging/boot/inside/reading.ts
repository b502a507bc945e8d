import { expectMatch, shell, until } from './shell.ts';

const READING = /total\/pv_power +\S+ +.*W/;

/** Runs commands of which the last one reads, and repeats that until the hardware was read, as a person does. */
export async function runUntilRead(script: string): Promise<void> {
  await shell(script.trimEnd().split('\n').slice(0, -1).join('\n'));
  await readAgain(script);
}

/** Runs the last command of a script, with its variables, until the hardware was read. */
export async function readAgain(script: string): Promise<void> {
  const lines = script.trimEnd().split('\n');
  const last = lines.pop() ?? '';
  const variables = lines.filter((line) => line.startsWith('export')).join('\n');
  await until(async () => expectMatch(await shell(`${variables}\n${last}`), READING));
}
