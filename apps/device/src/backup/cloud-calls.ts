import { internalOperations } from '@heliograph/contracts/operations/internal';
import { pathOf } from '@heliograph/contracts/operations/path-of';
import { reasonOf } from '@heliograph/kit';
import { type SigningKey, signDeviceProof } from '@heliograph/wire';
import { BadBackup } from './encryption.ts';
import { fetchTokenOf } from './recovery-code.ts';

/** How long the cloud may take for a backup on a slow line, in milliseconds. */
const TIMEOUT_MS = 10 * 60_000;

/** The device and its cloud. */
export interface CloudAccess {
  readonly cloudUrl: string;
  readonly uid: string;
  readonly key: SigningKey;
}

/** @throws an error with the reason of the cloud */
export async function uploadBackup(
  access: CloudAccess,
  bytes: Uint8Array<ArrayBuffer>,
  fetchHash: string,
  nowMs: number,
): Promise<void> {
  const query = new URLSearchParams({ uid: access.uid, fetch_hash: fetchHash });
  await call(access, internalOperations.storeDeviceBackup.route, query, nowMs, bytes);
}

/** Deletes the device's backups from the cloud. @throws an error with the reason of the cloud */
export async function removeBackups(access: CloudAccess, nowMs: number): Promise<void> {
  const query = new URLSearchParams({ uid: access.uid });
  await call(access, internalOperations.removeDeviceBackups.route, query, nowMs);
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

async function call(
  { cloudUrl, uid, key }: CloudAccess,
  route: `${string} ${string}`,
  query: URLSearchParams,
  nowMs: number,
  body: Uint8Array<ArrayBuffer> | null = null,
): Promise<void> {
  const [method = ''] = route.split(' ');
  const answer = await fetch(`${cloudUrl}${pathOf(route)}?${query}`, {
    method,
    headers: {
      authorization: `Bearer ${await signDeviceProof(key, uid, cloudUrl, nowMs)}`,
      ...(body !== null && { 'content-type': 'application/octet-stream' }),
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(await messageIn(answer));
}

async function messageIn(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => undefined);
  const message = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof message === 'string' ? message : `The cloud answers ${answer.status}`;
}
