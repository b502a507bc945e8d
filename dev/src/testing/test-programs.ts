import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the folder of the bundled programs, which are bundled at the first request. */
    testPrograms: string;
  }
}

/**
 * The path of a program as packages hold it: a bundle loads in a third of the processor time that its sources take.
 *
 * @param path within the checkout without its ending, such as `apps/device/src/main`
 */
export async function testProgram(path: string): Promise<string> {
  return join(await testProgramFolder(), `${path}.js`);
}

let folderOfRun: Promise<string> | undefined;

/** The folder of the bundled programs, in which they have the paths of the checkout. */
export function testProgramFolder(): Promise<string> {
  folderOfRun ??= fetchFolder();
  return folderOfRun;
}

async function fetchFolder(): Promise<string> {
  const answer = await fetch(inject('testPrograms'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The tests have no programs: ${text}`);
  return text;
}
