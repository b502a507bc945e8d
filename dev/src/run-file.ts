import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from './data-folder/private-file.ts';

/** `run.json`: addresses and credentials of a running system, for scripts and the command line. */
export interface RunFile {
  readonly ready: boolean;
  readonly cloud: { readonly url: string; readonly database_url: string };
  /** `host` is what comes after `http://`, as the cloud's authorize operation answers it. */
  readonly proxy: { readonly url: string; readonly host: string };
  readonly device: { readonly url: string; readonly password: string; readonly uid: string };
  /** Host and port of the simulated plant's Modbus TCP server. */
  readonly plant: { readonly modbus: string };
  readonly account: { readonly email: string; readonly password: string; readonly api_token: string };
  readonly organization: { readonly id: number };
  readonly site: { readonly id: number; readonly name: string };
}

export function runFilePath(dataFolder: string): string {
  return join(dataFolder, 'run.json');
}

export async function writeRunFile(dataFolder: string, run: RunFile): Promise<void> {
  await writePrivateFile(runFilePath(dataFolder), `${JSON.stringify(run, null, 2)}\n`);
}

export async function removeRunFile(dataFolder: string): Promise<void> {
  await rm(runFilePath(dataFolder), { force: true });
}
