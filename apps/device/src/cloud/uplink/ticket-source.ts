import type {
  DeviceConnectAnswer,
  DeviceFacts,
  DeviceSupportReport,
  ReportedDelegation,
  SiteUpdates,
} from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { RELEASE_CHANNELS } from '@heliograph/kit/versions';
import type { SigningKey } from '@heliograph/wire';
import type { RegisteredSite } from '../../access/registered-site.ts';
import type { SiteRevocations } from '../../access/site-revocations.ts';
import type { SupportSessions } from '../../access/support-sessions.ts';
import type { Registration } from '../../common/registration.ts';
import type { Delegations } from '../../config/delegations/delegations.ts';
import type { KeyValueStore } from '../../storage/key-value.ts';
import { CredentialsRejected, connectToCloud, MAX_RETRY_AFTER_S } from './cloud-connect.ts';
import { OfferedCode } from './offered-code.ts';
import { StoredTicket, type Ticket } from './stored-ticket.ts';
import { UnreachableProxies } from './unreachable-proxies.ts';
import { type DelayRange, jitterMs } from './uplink-times.ts';

/** The cloud knows the device and gives it no ticket yet: a person must act first. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
  readonly retryAfterMs: number;

  constructor(answer: WaitingAnswer) {
    super(isReleased(answer) ? RELEASED : REASONS[answer.status]);
    const { retry_after_s: retryAfterS } = answer;
    this.retryAfterMs = Math.min(Math.max(retryAfterS, 1), MAX_RETRY_AFTER_S) * 1000;
  }
}

type ReadyAnswer = Extract<DeviceConnectAnswer, { status: 'ready' }>;
type WaitingAnswer = Exclude<DeviceConnectAnswer, ReadyAnswer>;

const REASONS = {
  inactive: 'the device waits to be activated',
  unregistered: 'the device is not registered to an account yet',
} as const;

const RELEASED = 'the device was released: its page "Account" shows the code that registers it';

function isReleased(answer: DeviceConnectAnswer): boolean {
  return answer.status === 'inactive' && answer.released !== undefined;
}

/** The status of a device in an answer of the cloud. */
export type CloudStatus = DeviceConnectAnswer['status'] | 'released';

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
  readonly delegations: Pick<Delegations, 'isReportDue' | 'report' | 'learn'>;
  /** Follows the answers of the cloud. */
  readonly registration: Registration;
  /** Called with what the owner chose for the site, whenever the cloud answers. */
  readonly onUpdates?: (updates: SiteUpdates) => void;
  /** Holds the ticket between restarts. */
  readonly store: KeyValueStore;
  /** Called when the cloud was reached: a good moment to fetch its keys again. */
  readonly onCloudReached?: () => void;
  readonly clock: Clock;
}

/** Fetches tunnel tickets from the cloud; holds the current one and the facts last reported. */
export class TunnelTicketSource {
  readonly unreachable: UnreachableProxies;
  readonly registrationCode: OfferedCode;
  readonly #options: TicketSourceOptions;
  readonly #renew: DelayRange;
  readonly #stored: StoredTicket;
  #ticket: Ticket | undefined;
  #status: CloudStatus | undefined;
  /** When the ticket is to be renewed, on the monotonic clock in milliseconds. */
  #renewAt = Number.POSITIVE_INFINITY;
  /** The facts last reported to the cloud, as JSON. */
  #reportedFacts: string | undefined;

  constructor(options: TicketSourceOptions, renew: DelayRange) {
    this.#options = options;
    this.#renew = renew;
    this.unreachable = new UnreachableProxies(options.clock);
    this.registrationCode = new OfferedCode(options.clock);
    const { store, cloudUrl, region, clock } = options;
    this.#stored = new StoredTicket({ store, cloudUrl, region, clock });
    const known = this.#stored.load();
    if (known === undefined) return;
    this.#ticket = known.ticket;
    this.#status = 'ready';
    options.registration.set(true);
    this.#reportedFacts = known.facts;
    // A clock that is wrong after a start makes the renewal earlier or later; the proxy decides what is valid.
    const ageMs = Math.max(0, clock.now() - known.answeredAt);
    this.#renewAt = clock.monotonic() + Math.max(0, jitterMs(renew) - ageMs);
  }

  get ticket(): Ticket | undefined {
    return this.#ticket;
  }

  /** The device's status in the cloud's last answer; undefined until it answered. */
  get status(): CloudStatus | undefined {
    return this.#status;
  }

  /** Whether there is something to call the cloud about: facts that it does not know, or a ticket that grows old. */
  get isCallDue(): boolean {
    const { clock, support, delegations } = this.#options;
    const hasReport = support.isReportDue || delegations.isReportDue;
    const isFresh = this.#factsNow() === this.#reportedFacts && !hasReport;
    return clock.monotonic() >= this.#renewAt || !isFresh;
  }

  /**
   * Calls the cloud. Its answer replaces the ticket; one that denies the device a way in takes the ticket away.
   *
   * @throws NotReady, CredentialsRejected, or another error when the cloud cannot be reached or understood
   */
  async fetchTicket(signal: AbortSignal): Promise<Ticket> {
    const { site, registration, revocations, support, delegations, clock } = this.#options;
    const { onCloudReached, onUpdates } = this.#options;
    const report = support.report();
    const delegated = delegations.report();
    const answer = await this.#call(report, delegated, signal);
    onCloudReached?.();
    this.#status = isReleased(answer) ? 'released' : answer.status;
    this.registrationCode.learn(
      answer.status === 'inactive' ? answer.released?.registration_code : undefined,
    );
    if (answer.status !== 'ready') {
      this.#deny();
      site.set(null);
      throw new NotReady(answer);
    }
    revocations.learn(answer.site_id, answer.revocations ?? []);
    support.learn(report, answer.support);
    const updates = updatesIn(answer);
    if (updates !== undefined) onUpdates?.(updates);
    site.set(answer.site_id, answer.site_name);
    delegations.learn(delegated, answer.delegations);
    registration.set(true);
    this.#ticket = answer;
    this.#stored.save(answer, this.#reportedFacts ?? '');
    this.#renewAt = clock.monotonic() + jitterMs(this.#renew);
    return answer;
  }

  /** Drops the ticket, so that it is not dialled with again. */
  forget(): void {
    this.#ticket = undefined;
    this.#stored.delete();
    this.#renewAt = Number.POSITIVE_INFINITY;
  }

  #deny(): void {
    this.forget();
    this.#options.registration.set(false);
  }

  /** As JSON, together with the setting of support access. */
  #factsNow(): string {
    const { facts, support } = this.#options;
    return JSON.stringify([facts(), support.access]);
  }

  async #call(
    support: DeviceSupportReport,
    delegations: readonly ReportedDelegation[],
    signal: AbortSignal,
  ): Promise<DeviceConnectAnswer> {
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
        delegations,
        installation,
        region,
        unreachable,
        wantsRegistrationCode: this.registrationCode.isWanted,
        nowMs,
        signal,
      };
      const answer = await connectToCloud(call);
      this.#reportedFacts = JSON.stringify([current, support.access]);
      return answer;
    } catch (error) {
      if (error instanceof CredentialsRejected) this.#deny();
      throw error;
    }
  }
}

/** @returns undefined without a channel that this release knows: the choice before stays */
function updatesIn({ updates }: ReadyAnswer): SiteUpdates | undefined {
  const channel = RELEASE_CHANNELS.find((one) => one === updates?.channel);
  return updates === undefined || channel === undefined ? undefined : { ...updates, channel };
}
