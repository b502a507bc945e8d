import type { SiteReachability } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';

type Status = SiteReachability['status'];

/** The address of a site, and the credentials for calls to it. */
export interface ProbeTarget {
  /** The proxy's address, such as `https://us-1.example.org`. */
  readonly proxyUrl: string;
  readonly siteId: number;
  readonly siteKey: string;
  readonly token: string;
}

/** Longest wait for a device's answer, in milliseconds. */
const PROBE_TIMEOUT_MS = 5_000;

/** Lifetime of a cached answer, in milliseconds: pages that show a site as offline poll. */
const ANSWER_LIFETIME_MS = 60_000;

/** Cached answers; the oldest is evicted first. */
const MAX_ANSWERS = 10_000;

interface Probe {
  readonly startedAtMs: number;
  readonly status: Promise<Status>;
}

/** Probes whether sites answer through their proxies: once a minute for each site, for all callers together. */
export class SiteProber {
  readonly #clock: Clock;
  readonly #probes = new Map<number, Probe>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param target called only without an answer of the last minute; undefined when no proxy is known */
  async probe(siteId: number, target: () => Promise<ProbeTarget | undefined>): Promise<SiteReachability> {
    const nowMs = this.#clock.now();
    const last = this.#probes.get(siteId);
    const isFresh = last !== undefined && nowMs - last.startedAtMs < ANSWER_LIFETIME_MS;
    const { startedAtMs, status } = isFresh ? last : this.#start(siteId, nowMs, target);
    return presentReachability(await status, startedAtMs);
  }

  #start(siteId: number, startedAtMs: number, target: () => Promise<ProbeTarget | undefined>): Probe {
    const probe = { startedAtMs, status: target().then(statusOf) };
    // Answers are cached, failures of the database or of a key are not.
    probe.status.catch(() => {
      if (this.#probes.get(siteId) === probe) this.#probes.delete(siteId);
    });
    this.#probes.delete(siteId);
    this.#probes.set(siteId, probe);
    const [oldest] = this.#probes.keys();
    if (this.#probes.size > MAX_ANSWERS && oldest !== undefined) this.#probes.delete(oldest);
    return probe;
  }
}

export function presentReachability(status: Status, atMs: number): SiteReachability {
  return { reachable: status === 'connected', status, status_at: new Date(atMs).toISOString() };
}

async function statusOf(target: ProbeTarget | undefined): Promise<Status> {
  if (target === undefined) return 'proxy_unreachable';
  const { proxyUrl, siteId, siteKey, token } = target;
  try {
    const response = await fetch(new URL('/api/v1/system', proxyUrl), {
      headers: { authorization: `Bearer ${token}`, 'site-id': String(siteId), 'site-key': siteKey },
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return statusOfCode(response.status);
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'proxy_unreachable';
  }
}

/** A proxy answers 502 and 503 for a device without a tunnel, 504 for one that does not answer. */
function statusOfCode(code: number): Status {
  if (code >= 200 && code < 300) return 'connected';
  if (code === 502 || code === 503) return 'disconnected';
  return code === 504 ? 'timeout' : 'http_error';
}
