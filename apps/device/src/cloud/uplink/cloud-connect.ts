import {
  DeviceConnectAnswer,
  type DeviceFacts,
  type DeviceSupportReport,
  type ReportedDelegation,
} from '@heliograph/contracts';
import { internalOperations } from '@heliograph/contracts/operations/internal';
import { pathOf } from '@heliograph/contracts/operations/path-of';
import { TRACEPARENT, traceOf, traceparentOf } from '@heliograph/kit';
import { type SigningKey, signDeviceProof } from '@heliograph/wire';
import { Compile } from 'typebox/schema';

const ANSWER = Compile(DeviceConnectAnswer);

/** How long the cloud may take to answer, in milliseconds. */
const CONNECT_TIMEOUT_MS = 15_000;

/** From which difference of the clocks on the cloud may refuse a proof for it, in milliseconds. */
const CLOCKS_APART_MS = 4 * 60_000;

/** The cloud does not accept this device's credentials: asking again soon would change nothing. */
export class CredentialsRejected extends Error {
  override readonly name = 'CredentialsRejected';
}

/** Upper bound on the cloud's `Retry-After`, in seconds. */
export const MAX_RETRY_AFTER_S = 3_600;

/** The cloud is overloaded, and names the time after which to try again. */
export class CloudBusy extends Error {
  override readonly name = 'CloudBusy';
  readonly retryAfterMs: number;

  constructor(status: number, retryAfterS: number) {
    super(`the cloud is busy (${status})`);
    this.retryAfterMs = Math.min(retryAfterS, MAX_RETRY_AFTER_S) * 1000;
  }
}

/** Ids of requests that failed, by their errors. */
const requestIds = new WeakMap<Error, string>();

/** The id of the request that an error is about, by which the cloud's operator finds it in its log. */
export function requestIdOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return requestIds.get(error) ?? requestIdOf(error.cause);
}

export interface ConnectOptions {
  readonly cloudUrl: string;
  readonly uid: string;
  readonly key: SigningKey;
  readonly facts: DeviceFacts;
  readonly support: DeviceSupportReport;
  readonly delegations: readonly ReportedDelegation[];
  /** Of the identity on this computer. */
  readonly installation: string | undefined;
  /** The region whose proxies are nearest; undefined: the cloud chooses. */
  readonly region: string | undefined;
  /** Names of proxies that could not be reached just now. */
  readonly unreachable: readonly string[];
  /** Whether a person is to see a code, if the device was released. */
  readonly wantsRegistrationCode: boolean;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/**
 * Authenticates the device at the cloud, reports its facts and requests a tunnel ticket.
 *
 * @throws CredentialsRejected on 401 and 403, CloudBusy on 429 and 503 with Retry-After, another error when the cloud
 *   cannot be reached or understood, or rejects a device whose clock is wrong; `requestIdOf` has the request of each
 */
export async function connectToCloud(options: ConnectOptions): Promise<DeviceConnectAnswer> {
  const trace = traceOf({});
  try {
    return await requestTicket(options, traceparentOf(trace));
  } catch (error) {
    if (error instanceof Error) requestIds.set(error, trace.traceId);
    throw error;
  }
}

async function requestTicket(options: ConnectOptions, traceparent: string): Promise<DeviceConnectAnswer> {
  const { cloudUrl, signal } = options;
  const answer = await fetch(`${cloudUrl}${pathOf(internalOperations.connectDevice.route)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [TRACEPARENT]: traceparent },
    body: JSON.stringify(await bodyFrom(options)),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]),
  });
  if (answer.status === 401 || answer.status === 403) {
    const reason = `the cloud rejects this device (${answer.status}): ${await reasonIn(answer)}`;
    const clocks = clocksApart(answer, options.nowMs);
    if (clocks !== undefined) throw new Error(`${reason}; ${clocks}`);
    throw new CredentialsRejected(reason);
  }
  const retryAfterS = Number(answer.headers.get('retry-after'));
  if ((answer.status === 429 || answer.status === 503) && retryAfterS > 0) {
    await answer.body?.cancel();
    throw new CloudBusy(answer.status, retryAfterS);
  }
  if (!answer.ok) throw new Error(`the cloud answers ${answer.status}: ${await reasonIn(answer)}`);
  const body = await bodyOf(answer);
  if (!ANSWER.Check(body)) throw new Error('the cloud answers something unknown');
  return body;
}

async function bodyFrom(options: ConnectOptions): Promise<object> {
  const { cloudUrl, uid, key, facts, support, delegations, installation, nowMs, region, unreachable } =
    options;
  const { wantsRegistrationCode } = options;
  const { kty, crv, x } = key.publicJwk;
  return {
    public_key: { kty, crv, x },
    proof: await signDeviceProof(key, uid, cloudUrl, nowMs),
    facts,
    support,
    delegations: [...delegations],
    ...(installation === undefined ? {} : { installation }),
    ...(region === undefined ? {} : { region }),
    ...(wantsRegistrationCode ? { wants_registration_code: true } : {}),
    ...(unreachable.length === 0 ? {} : { unreachable: [...unreachable] }),
  };
}

/** Undefined when it is no JSON; the parser's own words would quote a piece of it, which may hold a token. */
async function bodyOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A message with both clocks when they are too far apart for the cloud to accept a proof. A Pi has no clock until NTP answers,
 * after which the next attempt succeeds.
 */
function clocksApart(answer: Response, nowMs: number): string | undefined {
  const theirMs = Date.parse(answer.headers.get('date') ?? '');
  if (!(Math.abs(nowMs - theirMs) >= CLOCKS_APART_MS)) return undefined;
  const [ours, theirs] = [nowMs, theirMs].map((ms) => new Date(ms).toISOString());
  return `this device's clock says ${ours}, the cloud's ${theirs}`;
}

async function reasonIn(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => undefined);
  const reason = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof reason === 'string' ? reason : 'no reason given';
}
