import { pathOf } from '@heliograph/contracts/operations/path-of';
import { type SigningKey, signDeviceProof } from '@heliograph/wire';

/** The device and its cloud. */
export interface CloudAccess {
  readonly cloudUrl: string;
  readonly uid: string;
  readonly key: SigningKey;
}

export interface CloudCall {
  readonly route: `${string} ${string}`;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly content: Uint8Array<ArrayBuffer> | string };
  readonly nowMs: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Calls the cloud with the proof of the device's key. @throws an error with the reason of the cloud */
export async function callCloud({ cloudUrl, uid, key }: CloudAccess, call: CloudCall): Promise<Response> {
  const { route, query, body, nowMs, timeoutMs, signal } = call;
  const [method = ''] = route.split(' ');
  const timeout = AbortSignal.timeout(timeoutMs);
  const answer = await fetch(`${cloudUrl}${pathOf(route)}?${new URLSearchParams({ uid, ...query })}`, {
    method,
    headers: {
      authorization: `Bearer ${await signDeviceProof(key, uid, cloudUrl, nowMs)}`,
      ...(body !== undefined && { 'content-type': body.type }),
    },
    body: body?.content ?? null,
    redirect: 'error',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  if (!answer.ok) throw new Error(await messageIn(answer));
  return answer;
}

export async function messageIn(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => undefined);
  const message = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof message === 'string' ? message : `The cloud answers ${answer.status}`;
}
