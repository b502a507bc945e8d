import type { ProxyAnnounceAnswer } from '@heliograph/contracts';
import { internalOperations } from '@heliograph/contracts/operations/internal';
import { pathOf } from '@heliograph/contracts/operations/path-of';
import { Backoff, type Logger, reasonOf, TRACEPARENT, traceOf, traceparentOf, wait } from '@heliograph/kit';
import { type Announcement, type AnnouncementSource, Announcements } from './announcement.ts';

/** How often the proxy announces itself when nothing changes, in milliseconds. */
export const ANNOUNCE_INTERVAL_MS = 5_000;
/** The same while it is being emptied: it ends as soon as the cloud knows no other proxy any more. */
const DRAINING_INTERVAL_MS = 1_000;
/** How long a change waits for others to come along, in milliseconds. */
const COALESCE_MS = 50;
/** The same after an announcement of many changes, of which more are likely to come: in milliseconds, and how many. */
const STORM_COALESCE_MS = 500;
const STORM_CHANGES = 50;
const CHANGES_TIMEOUT_MS = 4_000;
const EVERYTHING_TIMEOUT_MS = 30_000;
const FAREWELL_TIMEOUT_MS = 500;
/**
 * How long after the start the devices of the process before are taken to be on their way back, in milliseconds: they
 * dial within seconds, and taking thousands off the cloud's list and putting them on again would be for nothing.
 */
const RETURN_MS = 12_000;
/** A warning about a second proxy of the same name needs so many conflicts within so long, in milliseconds. */
const NAMESAKE_TIMES = 3;
const NAMESAKE_MS = 60_000;

export interface AnnouncerOptions extends AnnouncementSource {
  readonly cloudUrl: string;
  readonly name: string;
  readonly credential: string;
  readonly logger: Logger;
  /** Called with every answer. */
  readonly onAnswer: (answer: ProxyAnnounceAnswer) => void;
  readonly intervalMs?: number | undefined;
  readonly returnMs?: number | undefined;
}

/**
 * Announces the proxy and its devices to the cloud, and passes the answers on; traffic never
 * waits for it. The full state is sent at the start and after any failure, otherwise only changes.
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #announcements: Announcements;
  readonly #url: string;
  readonly #stopping = new AbortController();
  #wake = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #settling: NodeJS.Timeout | undefined;
  #failing = false;
  #failures = 0;
  /** When the cloud did not have the announcement before, lately. */
  #outOfStepMs: number[] = [];
  #answeredMs: number | undefined;
  #refusal: string | undefined;
  /** Revocations are requested from this time on. */
  #revocationsSince: string | undefined;
  #waiting: ((isAccepted: boolean) => void)[] = [];

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    this.#announcements = new Announcements(options);
    const { cloudUrl, name } = options;
    // Announcements of changes have the same path.
    this.#url = `${cloudUrl}${pathOf(internalOperations.announceProxy.route, { name })}`;
  }

  /** How many announcements failed. */
  get failures(): number {
    return this.#failures;
  }

  /** Milliseconds since the cloud last answered; undefined: it never did. */
  get ageMs(): number | undefined {
    return this.#answeredMs === undefined ? undefined : performance.now() - this.#answeredMs;
  }

  /** Why the cloud takes no announcement of this proxy, and what is to be done; undefined: it does, or is away. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  start(): void {
    this.#settling = setTimeout(() => {
      this.#announcements.settle();
      this.changed();
    }, this.#options.returnMs ?? RETURN_MS);
    this.#settling.unref();
    this.#running = this.#run(this.#stopping.signal);
  }

  /** Something is to be announced soon. */
  changed(): void {
    this.#wake.abort();
  }

  /** Announces the current state soon. Resolves to whether the cloud accepted it. */
  announceNow(): Promise<boolean> {
    if (this.#stopping.signal.aborted) return Promise.resolve(false);
    this.changed();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the announcements with a last one, which a cloud out of reach may miss. */
  async stop(): Promise<void> {
    clearTimeout(this.#settling);
    this.#stopping.abort();
    await this.#running;
    this.#announcements.settle();
    if (!this.#failing) await this.#announce(AbortSignal.timeout(FAREWELL_TIMEOUT_MS));
    for (const resolve of this.#waiting) resolve(false);
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { intervalMs = ANNOUNCE_INTERVAL_MS, state } = this.#options;
    const backoff = new Backoff({ minMs: 200, maxMs: intervalMs });
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const changes = await this.#announce(signal);
      if (changes === undefined) await wait(backoff.nextMs(), signal);
      else {
        backoff.reset();
        const quietMs = state().draining ? Math.min(intervalMs, DRAINING_INTERVAL_MS) : intervalMs;
        const storm = changes > STORM_CHANGES;
        await wait(quietMs, AbortSignal.any([signal, this.#wake.signal]));
        await wait(storm ? STORM_COALESCE_MS : COALESCE_MS, signal);
      }
    }
  }

  /** @returns how many changes were announced; undefined when that failed */
  async #announce(stop: AbortSignal): Promise<number | undefined> {
    const { logger, onAnswer } = this.#options;
    const waiting = this.#waiting;
    this.#waiting = [];
    const announcement = this.#announcements.next();
    const trace = traceOf({});
    try {
      const answer = await this.#send(announcement, traceparentOf(trace), stop);
      if (this.#failing) logger.info('announcing to the cloud works again');
      this.#failing = false;
      this.#refusal = undefined;
      this.#answeredMs = performance.now();
      onAnswer(answer);
      this.#revocationsSince = answer.revocations_next ?? this.#revocationsSince;
      if (answer.revocations_more === true) this.changed();
      for (const resolve of waiting) resolve(true);
      return changesIn(announcement);
    } catch (error) {
      this.#announcements.restart();
      for (const resolve of waiting) resolve(false);
      if (this.#stopping.signal.aborted) return undefined;
      this.#failures++;
      if (error instanceof OutOfStep) {
        // The cloud forgot this proxy, or its last announcement is of a former run. The full state follows at once.
        this.#noteOutOfStep();
        this.changed();
        return 0;
      }
      const refusal = error instanceof CredentialRefused ? error.message : undefined;
      // A cloud that is away afterwards has not taken it back.
      const isNews = refusal !== undefined && refusal !== this.#refusal;
      this.#refusal = refusal ?? this.#refusal;
      if (!this.#failing || isNews) {
        const facts = { requestId: trace.traceId, url: this.#url, reason: reasonOf(error) };
        logger.warn(facts, 'announcing to the cloud failed; retrying');
      }
      this.#failing = true;
      return undefined;
    }
  }

  /** A unit file that was copied has two proxies take one another's devices off the cloud's list, again and again. */
  #noteOutOfStep(): void {
    const nowMs = performance.now();
    this.#outOfStepMs = [...this.#outOfStepMs.filter((atMs) => nowMs - atMs < NAMESAKE_MS), nowMs];
    if (this.#outOfStepMs.length < NAMESAKE_TIMES) return;
    this.#outOfStepMs = [];
    const { logger, name } = this.#options;
    logger.warn(
      { name },
      'another proxy announces itself by the same name; give each a PROXY_NAME of its own',
    );
  }

  async #send(
    { method, body }: Announcement,
    traceparent: string,
    stop: AbortSignal,
  ): Promise<ProxyAnnounceAnswer> {
    const { credential } = this.#options;
    const since = this.#revocationsSince;
    const query = since === undefined ? '' : `?${new URLSearchParams({ revocations_since: since })}`;
    const timeoutMs = method === 'PUT' ? EVERYTHING_TIMEOUT_MS : CHANGES_TIMEOUT_MS;
    const response = await fetch(this.#url + query, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        'content-type': 'application/json',
        [TRACEPARENT]: traceparent,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.ok) return (await response.json()) as ProxyAnnounceAnswer;
    await response.body?.cancel();
    const { status } = response;
    if (method === 'PATCH' && status === 409) throw new OutOfStep();
    if (status === 401 || status === 403) throw new CredentialRefused(refusalFor(status, this.#options.name));
    throw new Error(`the cloud answered ${status}`);
  }
}

/** The cloud refuses the proxy's credential; the message contains the remedy. */
class CredentialRefused extends Error {}

function refusalFor(status: 401 | 403, name: string): string {
  return status === 401
    ? `the cloud refuses PROXY_CREDENTIAL (401): it was revoked, or is of another cloud; make another one with "heliograph admin proxies add ${name}" or "rotate ${name}"`
    : `the cloud refuses PROXY_CREDENTIAL (403): it was made for another name than ${name}; set PROXY_NAME to that one, or make one with "heliograph admin proxies add ${name}"`;
}

/** The cloud does not have the announcement before. */
class OutOfStep extends Error {}

function changesIn({ method, body }: Announcement): number {
  return method === 'PUT' ? body.sessions.length : body.added.length + body.removed.length;
}
