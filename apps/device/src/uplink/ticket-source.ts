import type { DeviceConnectAnswer, DeviceFacts, DeviceSupportReport } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import type { SigningKey } from '@heliograph/wire';
import type { RegisteredSite } from '../auth/registered-site.ts';
import type { SiteRevocations } from '../auth/site-revocations.ts';
import type { SupportSessions } from '../auth/support-sessions.ts';
import { CredentialsRejected, connectToCloud, MAX_RETRY_AFTER_S } from './cloud-connect.ts';
import { UnreachableProxies } from './unreachable-proxies.ts';
import { type DelayRange, jitterMs } from './uplink-times.ts';

/** With it the device may dial one proxy for a day, as often as it must, without asking the cloud. */
export type Ticket = Extract<DeviceConnectAnswer, { status: 'ready' }>;

/** The cloud knows the device and gives it no ticket yet: a person must act first. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
  readonly retryAfterMs: number;

  constructor({ status, retry_after_s: retryAfterS }: Exclude<DeviceConnectAnswer, Ticket>) {
    super(REASONS[status]);
    this.retryAfterMs = Math.min(Math.max(retryAfterS, 1), MAX_RETRY_AFTER_S) * 1000;
  }
}

const REASONS = {
  inactive: 'the device waits to be activated',
  unregistered: 'the device is not registered to an account yet',
} as const;

export interface TicketSourceOptions {
  readonly cloudUrl: string;
  readonly uid: string;
  readonly key: SigningKey;
  /** Read at every call and now and then, so that the cloud learns of changes: slow hardware is found late. */
  readonly facts: () => DeviceFacts;
  /** The region whose proxies are nearest; left out, the cloud chooses. */
  readonly region?: string | undefined;
  /** Distinguishes the computers that the identity was restored on; left out, the cloud does not compare them. */
  readonly installation?: string | undefined;
  readonly site: RegisteredSite;
  readonly revocations: SiteRevocations;
  readonly support: SupportSessions;
  /** Called when the cloud was reached: a good moment to fetch its keys again. */
  readonly onCloudReached?: () => void;
  readonly clock: Clock;
}

/** Fetches tunnel tickets from the cloud; holds the current one and the facts last reported. */
export class TunnelTicketSource {
  readonly unreachable: UnreachableProxies;
  readonly #options: TicketSourceOptions;
  readonly #renew: DelayRange;
  #ticket: Ticket | undefined;
  #status: DeviceConnectAnswer['status'] | undefined;
  /** When the ticket is to be renewed, on the monotonic clock in milliseconds. */
  #renewAt = Number.POSITIVE_INFINITY;
  /** The facts last reported to the cloud, as JSON. */
  #reportedFacts: string | undefined;

  constructor(options: TicketSourceOptions, renew: DelayRange) {
    this.#options = options;
    this.#renew = renew;
    this.unreachable = new UnreachableProxies(options.clock);
  }

  get ticket(): Ticket | undefined {
    return this.#ticket;
  }

  /** The device's status in the cloud's last answer; undefined until it answered. */
  get status(): DeviceConnectAnswer['status'] | undefined {
    return this.#status;
  }

  /** Whether there is something to call the cloud about: facts that it does not know, or a ticket that grows old. */
  get isCallDue(): boolean {
    const { clock, support } = this.#options;
    const isFresh = this.#factsNow() === this.#reportedFacts && !support.isReportDue;
    return clock.monotonic() >= this.#renewAt || !isFresh;
  }

  /**
   * Calls the cloud. Its answer replaces the ticket; one that denies the device a way in takes the ticket away.
   *
   * @throws NotReady, CredentialsRejected, or another error when the cloud cannot be reached or understood
   */
  async fetchTicket(signal: AbortSignal): Promise<Ticket> {
    const { site, revocations, support, clock, onCloudReached } = this.#options;
    const report = support.report();
    const answer = await this.#call(report, signal);
    onCloudReached?.();
    this.#status = answer.status;
    if (answer.status !== 'ready') {
      this.forget();
      site.set(null);
      throw new NotReady(answer);
    }
    revocations.learn(answer.site_id, answer.revocations ?? []);
    support.learn(report, answer.support);
    site.set(answer.site_id, answer.site_name);
    this.#ticket = answer;
    this.#renewAt = clock.monotonic() + jitterMs(this.#renew);
    return answer;
  }

  /** Drops the ticket, so that it is not dialled with again. */
  forget(): void {
    this.#ticket = undefined;
    this.#renewAt = Number.POSITIVE_INFINITY;
  }

  /** As JSON, together with the setting of support access. */
  #factsNow(): string {
    const { facts, support } = this.#options;
    return JSON.stringify([facts(), support.access]);
  }

  async #call(support: DeviceSupportReport, signal: AbortSignal): Promise<DeviceConnectAnswer> {
    const { cloudUrl, uid, key, facts, installation, region, clock } = this.#options;
    const current = facts();
    const unreachable = this.unreachable.names;
    try {
      const nowMs = clock.now();
      const call = {
        cloudUrl,
        uid,
        key,
        facts: current,
        support,
        installation,
        region,
        unreachable,
        nowMs,
        signal,
      };
      const answer = await connectToCloud(call);
      this.#reportedFacts = JSON.stringify([current, support.access]);
      return answer;
    } catch (error) {
      if (error instanceof CredentialsRejected) this.forget();
      throw error;
    }
  }
}
