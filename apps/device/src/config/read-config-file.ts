import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { ConfigError, messageOf } from '@heliograph/kit';
import { type ConfigProblem, checkConfig } from './check.ts';
import type { Drivers } from './connections.ts';
import type { FileSettings } from './settings.ts';

/** A configuration file that cannot be used. */
export class UnusableConfigFile extends ConfigError {
  /** The place of the fault, without paths and values: anyone may read it. */
  readonly place: string;

  constructor(message: string, place: string) {
    super(message);
    this.place = place;
  }
}

/** Everything that is wrong with a configuration file, a line each. */
export class BadConfigFile extends UnusableConfigFile {
  readonly problems: readonly ConfigProblem[];

  constructor(file: string, problems: readonly ConfigProblem[]) {
    const places = problems.map(({ line, column }) => `${basename(file)}:${line}:${column}`);
    super(
      problems.map((problem) => lineOf(file, problem)).join('\n'),
      places.slice(0, MAX_PLACES).join(', '),
    );
    this.problems = problems;
  }
}

/** A file of 0 bytes. */
export class EmptyConfigFile extends UnusableConfigFile {}

/** In a sentence; the lines have all. */
const MAX_PLACES = 3;

function unreadable(file: string, reason: string): UnusableConfigFile {
  return new UnusableConfigFile(`${file} ${reason}`, basename(file));
}

/** As compilers write it, so that editors and terminals lead to the place. */
function lineOf(file: string, { line, column, field, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${field === '' ? '' : `${field}: `}${message}`;
}

const EMPTY =
  'is empty (0 bytes), as a power cut may leave it: write it again, or delete it, and the next start writes an example';

/** A hundred times what a home with everything needs, in bytes. Beyond it is another file, or one without an end. */
const MAX_BYTES = 256 * 1024;

/** Errors for a file, or even its folder, that is missing: `startDevice` reports what is wrong with a folder. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR']);

/**
 * Reads a configuration file. A missing one is an empty one: a device without connections.
 *
 * @throws UnusableConfigFile with every problem in it
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

/** @returns undefined when there is none @throws UnusableConfigFile when it cannot be read, is empty or is not text */
export function readConfigText(file: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readStart(file, MAX_BYTES + 1);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (NOT_THERE.has(code)) return undefined;
    throw unreadable(file, `cannot be read: ${messageOf(error)}`);
  }
  if (bytes.length > MAX_BYTES) {
    throw unreadable(file, `is not a configuration file: it has more than ${MAX_BYTES / 1024} KiB`);
  }
  if (bytes.length === 0) throw new EmptyConfigFile(`${file} ${EMPTY}`, basename(file));
  if (bytes.includes(0))
    throw unreadable(file, 'is not text: it has bytes of zero, as a power cut may leave');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable(file, 'is not text in UTF-8');
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
