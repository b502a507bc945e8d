import { run } from '../machine/run-program.ts';
import type { Account } from './account.ts';

/**
 * Whether the account can reach a folder: every folder above it must be open to it. Asked of the system
 * rather than computed from modes, which know nothing of access lists and read-only mounts.
 */
export async function canEnter(folder: string, account: Account | undefined): Promise<boolean> {
  if (account === undefined) return true;
  return (await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], account)).ok;
}
