import { Backoff, type Clock, type Logger, reasonOf, type wait } from '@heliograph/kit';
import type { SiteRevocations } from '../../access/site-revocations.ts';
import { CloudBusy, CredentialsRejected } from './cloud-connect.ts';
import { NotReady, type TunnelTicketSource } from './ticket-source.ts';
import { jitterMs, type UplinkTimes } from './uplink-times.ts';

export interface RevocationCallOptions {
  readonly ticketSource: TunnelTicketSource;
  readonly revocations: SiteRevocations;
  readonly times: UplinkTimes;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  readonly pause: typeof wait;
}

/**
 * Calls the cloud when a proxy knows of other revocations than this device: what was revoked comes from the cloud
 * alone. Many pings are one call, and a call that fails is repeated ever more rarely.
 */
export class RevocationCalls {
  readonly #options: RevocationCallOptions;
  /** The ping that no call has followed yet. */
  #open: Buffer | undefined;
  #isRunning = false;
  /** On the monotonic clock in milliseconds. */
  #calledAt = Number.NEGATIVE_INFINITY;

  constructor(options: RevocationCallOptions) {
    this.#options = options;
  }

  /** @param ping as a proxy sent it */
  onPing(ping: Buffer): void {
    this.#open = ping;
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    const { times, logger, stopping, pause } = this.#options;
    const backoff = new Backoff({ minMs: times.requestedCallsApartMs, maxMs: times.factCheck.maxMs });
    let pauseMs = Math.max(jitterMs(times.revocations), this.#untilNextMs());
    this.#isRunning = true;
    while (this.#isPending() && (await pause(pauseMs, stopping))) {
      // Another call may have brought it meanwhile.
      if (!this.#isPending()) break;
      try {
        await this.#call();
        backoff.reset();
        pauseMs = this.#untilNextMs();
      } catch (error) {
        if (error instanceof CredentialsRejected || error instanceof NotReady) break;
        pauseMs = Math.max(backoff.nextMs(), error instanceof CloudBusy ? error.retryAfterMs : 0);
        if (!stopping.aborted)
          logger.info({ reason: reasonOf(error) }, 'the revocations could not be fetched from the cloud');
      }
    }
    this.#isRunning = false;
  }

  /** The cloud's answer is final, whatever the proxy's ping claims. */
  async #call(): Promise<void> {
    const { ticketSource, clock, stopping } = this.#options;
    const ping = this.#open;
    this.#calledAt = clock.monotonic();
    await ticketSource.fetchTicket(stopping);
    if (this.#open === ping) this.#open = undefined;
  }

  #isPending(): boolean {
    return this.#open !== undefined && !this.#open.equals(this.#options.revocations.ping);
  }

  #untilNextMs(): number {
    const { times, clock } = this.#options;
    return Math.max(0, this.#calledAt + times.requestedCallsApartMs - clock.monotonic());
  }
}
