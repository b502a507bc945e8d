import { internalOperations } from '@heliograph/contracts/operations/internal';
import { pathOf } from '@heliograph/contracts/operations/path-of';
import { reasonOf } from '@heliograph/kit';
import { type CloudAccess, callCloud, messageIn } from '../../common/call-cloud.ts';
import { BadBackup } from './encryption.ts';
import { fetchTokenOf } from './recovery-code.ts';

/** How long the cloud may take for a backup on a slow line, in milliseconds. */
const TIMEOUT_MS = 10 * 60_000;

/** @throws an error with the reason of the cloud */
export async function uploadBackup(
  access: CloudAccess,
  bytes: Uint8Array<ArrayBuffer>,
  fetchHash: string,
  nowMs: number,
): Promise<void> {
  const { route } = internalOperations.storeDeviceBackup;
  const body = { type: 'application/octet-stream', content: bytes };
  await callCloud(access, { route, query: { fetch_hash: fetchHash }, body, nowMs, timeoutMs: TIMEOUT_MS });
}

/** Deletes the device's backups from the cloud. @throws an error with the reason of the cloud */
export async function removeBackups(access: CloudAccess, nowMs: number): Promise<void> {
  await callCloud(access, {
    route: internalOperations.removeDeviceBackups.route,
    nowMs,
    timeoutMs: TIMEOUT_MS,
  });
}

/** The newest backup of the owner of a recovery code. @throws BadBackup where there is none, or without the cloud */
export async function downloadBackup(cloudUrl: string, code: string): Promise<Buffer> {
  const path = pathOf(internalOperations.fetchDeviceBackup.route);
  const answer = await fetch(`${cloudUrl}${path}`, {
    headers: { authorization: `Bearer ${fetchTokenOf(code)}` },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new BadBackup(`The cloud ${cloudUrl} cannot be reached: ${reasonOf(error)}`);
  });
  if (!answer.ok) throw new BadBackup(await messageIn(answer));
  return Buffer.from(await answer.arrayBuffer());
}
