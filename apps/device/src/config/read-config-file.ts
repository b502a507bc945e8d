import { closeSync, openSync, readSync } from 'node:fs';
import { ConfigError, messageOf } from '@heliograph/kit';
import { type ConfigProblem, checkConfig } from './check.ts';
import type { Drivers } from './connections.ts';
import type { FileSettings } from './settings.ts';

/** A configuration file that cannot be used, and everything that is wrong with it, a line each. */
export class BadConfigFile extends ConfigError {
  readonly problems: readonly ConfigProblem[];

  constructor(file: string, problems: readonly ConfigProblem[]) {
    super(problems.map((problem) => lineOf(file, problem)).join('\n'));
    this.problems = problems;
  }
}

/** As compilers write it, so that editors and terminals lead to the place. */
function lineOf(file: string, { line, column, field, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${field === '' ? '' : `${field}: `}${message}`;
}

/** A hundred times what a home with everything needs, in bytes. Beyond it is another file, or one without an end. */
const MAX_BYTES = 256 * 1024;

/** Errors for a file, or even its folder, that is missing: `startDevice` reports what is wrong with a folder. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR']);

/**
 * Reads a configuration file. A missing one is an empty one: a device without connections.
 *
 * @throws BadConfigFile with every problem in it, or ConfigError when it cannot be read
 */
export function readConfigFile(file: string, drivers: Drivers): FileSettings {
  return settingsFrom(readConfigText(file) ?? '', file, drivers);
}

/** @throws BadConfigFile */
export function settingsFrom(text: string, file: string, drivers: Drivers): FileSettings {
  const checked = checkConfig(text, drivers);
  if ('settings' in checked) return checked.settings;
  throw new BadConfigFile(file, checked.problems);
}

/** @returns undefined when there is none @throws ConfigError when it cannot be read */
export function readConfigText(file: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readStart(file, MAX_BYTES + 1);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (NOT_THERE.has(code)) return undefined;
    throw new ConfigError(`${file} cannot be read: ${messageOf(error)}`);
  }
  if (bytes.length > MAX_BYTES) {
    throw new ConfigError(`${file} is no configuration file: it has more than ${MAX_BYTES / 1024} KiB`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError(`${file} is not text in UTF-8`);
  }
}

function readStart(file: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const handle = openSync(file, 'r');
  try {
    let filled = 0;
    for (let read = 1; read > 0 && filled < length; filled += read) {
      read = readSync(handle, bytes, filled, length - filled, null);
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(handle);
  }
}
