import { posix } from 'node:path';

const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|import\s*\(?\s*['"]([^'"]+)['"]/g;

/** Modules that a source file names, as it names them. */
export function importsOf(source: string): string[] {
  return [...source.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '');
}

/** Whether a file is a test, or helps tests. */
export function isTest(file: string): boolean {
  return /\.(test|look|docs|fuzz|outage)\.tsx?$/.test(file) || /\/(test|testing)\//.test(file);
}

/** The path of the file that a relative import names, from the project's root. */
export function targetOf(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier);
}
