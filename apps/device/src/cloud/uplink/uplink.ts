import type { RegistrationCode } from '@heliograph/contracts';
import { Backoff, type Logger, reasonOf, wait } from '@heliograph/kit';
import type { CloudProblems } from '../../common/cloud-problems.ts';
import type { TunnelHandler } from '../../serve/api/tunnel-handler.ts';
import { CloudBusy, CredentialsRejected, requestIdOf } from './cloud-connect.ts';
import { Dialler, type OpenTunnel } from './dialler.ts';
import { reportFacts } from './report-facts.ts';
import { RevocationCalls } from './revocation-calls.ts';
import { successorOf } from './successor.ts';
import { type CloudStatus, NotReady, type TicketSourceOptions, TunnelTicketSource } from './ticket-source.ts';
import { TunnelServing } from './tunnel.ts';
import { jitterMs, UPLINK_TIMES, type UplinkTimes } from './uplink-times.ts';

/** Least time between calls of a device that a person is to register, in milliseconds. */
const HURRY_MS = 2_000;

export interface UplinkStatus {
  readonly state: 'offline' | 'connecting' | 'online';
  /** Why it is not online, in words for the homeowner; null when it is or was just started. */
  readonly reason: string | null;
  /** The name of the proxy that holds the tunnel; null unless online. */
  readonly proxy: string | null;
  /** Since when it is in this state, in milliseconds since the epoch. */
  readonly since: number;
}

export interface UplinkOptions extends TicketSourceOptions {
  readonly problems: CloudProblems;
  readonly handler: TunnelHandler;
  readonly logger: Logger;
  /** Certificate authorities besides the system's for the proxy, PEM. */
  readonly ca?: string | undefined;
  readonly times?: UplinkTimes;
  /** Waits between attempts and between reports; default {@link wait}. */
  readonly pause?: typeof wait;
}

/**
 * Keeps the device reachable from outside: fetches a ticket for a proxy, dials it, serves requests through
 * the tunnel, and does it all again when the tunnel ends. It reacts like this:
 *
 * - the device restarts: the last proxy is dialled with the stored ticket, as if the tunnel had broken;
 * - the proxy's process restarts: the same proxy is dialled with the ticket at hand, and once more if its machine
 *   refuses the connection; the cloud is not asked;
 * - the proxy's machine is gone: the dial times out, and the cloud, which learns the proxy's name, answers another;
 * - the proxy stops or is emptied: it asks the device to move, and its tunnel serves until the next one is up. One that
 *   ends first, for want of another proxy, is dialled again as after a restart;
 * - the cloud is away: nothing, for as long as the ticket is good. A proxy that restarts meanwhile is dialled as above,
 *   however long it takes;
 * - the proxy knows of other revocations than the device: the cloud is asked, and its answer counts;
 * - cloud and proxy are away, or the internet is: both are tried, ever more rarely, the proxy first. Nothing was learnt
 *   about the proxy then, so whichever is back first is found;
 * - the device is revoked or the site unregistered: the proxy ends the tunnel on purpose, so that the cloud is asked before
 *   the ticket is used again; its answer takes the ticket away, and the next call comes when the cloud's answer allows, or
 *   much later;
 * - tunnels never last: as when the proxy cannot be reached, with waits that only a tunnel that lasted makes short again.
 *
 * Every wait is jittered: thousands of devices lose the same proxy in the same instant.
 */
export class Uplink {
  readonly #options: UplinkOptions;
  readonly #times: UplinkTimes;
  readonly #ticketSource: TunnelTicketSource;
  readonly #dialler: Dialler;
  readonly #backoff: Backoff;
  readonly #revocationCalls: RevocationCalls;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #status: UplinkStatus;
  #reported: string | null = null;
  /** While a person has to register or activate the device: ends the wait for the next call. */
  #waiting: AbortController | undefined;
  #calledMs = Number.NEGATIVE_INFINITY;

  constructor(options: UplinkOptions) {
    const { handler, ca, times = UPLINK_TIMES, pause = wait } = options;
    this.#options = options;
    this.#status = { state: 'offline', reason: null, proxy: null, since: options.clock.now() };
    this.#times = times;
    this.#ticketSource = new TunnelTicketSource(options, times.renew);
    const server = new TunnelServing(handler, times.pings);
    this.#dialler = new Dialler({ ticketSource: this.#ticketSource, server, times, ca });
    this.#backoff = new Backoff(times.retry);
    this.#revocationCalls = new RevocationCalls({
      ticketSource: this.#ticketSource,
      revocations: options.revocations,
      times,
      clock: options.clock,
      logger: options.logger,
      stopping: this.#stopping.signal,
      pause,
    });
  }

  get status(): UplinkStatus {
    return this.#status;
  }

  /** The device's status in the cloud's last answer; undefined until it answered. */
  get cloudStatus(): CloudStatus | undefined {
    return this.#ticketSource.status;
  }

  /** Registers the device while it is released; undefined until the cloud answered with one. */
  get registrationCode(): RegistrationCode | undefined {
    return this.#ticketSource.registrationCode.current;
  }

  /** Calls the cloud soon if a person is to register or activate the device: someone looks at the page about it. */
  hurry(): void {
    if (this.#waiting === undefined) return;
    this.#ticketSource.registrationCode.want();
    if (this.#options.clock.monotonic() - this.#calledMs >= HURRY_MS) this.#waiting.abort();
  }

  start(): void {
    this.#running ??= this.#run(this.#stopping.signal);
  }

  /** Cuts every tunnel and ends all attempts. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#dialler.cutAll();
    await this.#running;
    this.#turn({ state: 'offline', reason: null, proxy: null });
  }

  async #run(stopping: AbortSignal): Promise<void> {
    const { pause = wait } = this.#options;
    while (!stopping.aborted) {
      const pauseMs = await this.#attempt(stopping);
      const waiting = this.#waiting;
      const ending = waiting === undefined ? stopping : AbortSignal.any([stopping, waiting.signal]);
      if (!stopping.aborted) await pause(pauseMs, ending);
      this.#waiting = undefined;
    }
  }

  /** One way through, until the end of its tunnel. @returns how long to wait before the next, in milliseconds */
  async #attempt(stopping: AbortSignal): Promise<number> {
    try {
      this.#calledMs = this.#options.clock.monotonic();
      this.#turn({ state: 'connecting', reason: this.#status.reason, proxy: null });
      const opened = await this.#dialler.open(stopping);
      return await this.#serveTunnel(opened, stopping);
    } catch (error) {
      if (stopping.aborted) return 0;
      this.#offline(reasonOf(error), { requestId: requestIdOf(error), isWaiting: error instanceof NotReady });
      if (error instanceof CredentialsRejected) return atLeast(this.#times.rejectedRetryMs);
      if (error instanceof NotReady) {
        this.#waiting = new AbortController();
        return atLeast(error.retryAfterMs);
      }
      if (error instanceof CloudBusy) return Math.max(atLeast(error.retryAfterMs), this.#backoff.nextMs());
    }
    return this.#backoff.nextMs();
  }

  /** Until a tunnel, or the last of those that it moves to, takes no more requests. @returns as `#attempt` */
  async #serveTunnel(opened: OpenTunnel, stopping: AbortSignal): Promise<number> {
    const { clock, logger, pause, problems } = this.#options;
    const closing = new AbortController();
    void reportFacts(
      this.#ticketSource,
      this.#times.factCheck,
      { logger, problems },
      AbortSignal.any([stopping, closing.signal]),
      pause,
    );
    const moving = {
      ticketSource: this.#ticketSource,
      dialler: this.#dialler,
      times: this.#times,
      clock,
      logger,
      stopping,
    };
    let held = opened;
    let since: number;
    for (;;) {
      since = clock.monotonic();
      this.#online(held.proxy);
      held.tunnel.onRevocationSignal((ping) => this.#revocationCalls.onPing(ping));
      const next = await successorOf(held, moving);
      if (next === undefined) break;
      void this.#leave(held, stopping);
      held = next;
    }
    closing.abort();
    return await this.#afterEnd(held, clock.monotonic() - since >= this.#times.stableMs);
  }

  /** The old proxy serves a little longer: others may ask it before the cloud knows where the device is now. */
  async #leave({ tunnel }: OpenTunnel, stopping: AbortSignal): Promise<void> {
    await wait(this.#times.lingerMs, stopping);
    tunnel.leave();
  }

  async #afterEnd({ tunnel, proxy }: OpenTunnel, wasStable: boolean): Promise<number> {
    const { reason, isByProxy } = await tunnel.ended;
    if (!this.#stopping.signal.aborted) this.#offline(reason);
    // A proxy that asked the device to move and then ends stops for want of another, and may be back at once.
    const isUnwanted = isByProxy && !tunnel.isMoveRequested;
    if (wasStable && !isUnwanted) this.#ticketSource.unreachable.delete(proxy);
    else this.#ticketSource.unreachable.add(proxy);
    const redialMs = jitterMs(this.#times.redial);
    if (!wasStable) return Math.max(redialMs, this.#backoff.nextMs());
    this.#backoff.reset();
    return redialMs;
  }

  #turn(to: Omit<UplinkStatus, 'since'>): void {
    const { state, since } = this.#status;
    this.#status = { ...to, since: to.state === state ? since : this.#options.clock.now() };
  }

  #online(proxy: string): void {
    this.#turn({ state: 'online', reason: null, proxy });
    this.#reported = null;
    this.#options.problems.end();
    this.#options.logger.info({ proxy }, 'reachable through the proxy');
  }

  /**
   * Logs a reason when it is new, not at every attempt that ends like the one before.
   *
   * @param requestId of the request to the cloud that failed, if it was one
   * @param isWaiting whether a person must register or activate the device first, which is no failure
   */
  #offline(
    reason: string,
    {
      requestId,
      isWaiting = false,
    }: { readonly requestId?: string | undefined; readonly isWaiting?: boolean } = {},
  ): void {
    this.#turn({ state: 'offline', reason, proxy: null });
    if (reason === this.#reported) return;
    this.#reported = reason;
    const { logger, problems } = this.#options;
    logger[isWaiting ? 'info' : problems.levelOf(reason)](
      { requestId, reason },
      'not reachable from outside',
    );
  }
}

/** Those who were sent away in the same instant do not come back in the same. */
function atLeast(minMs: number): number {
  return jitterMs({ minMs, maxMs: minMs * 1.2 });
}
