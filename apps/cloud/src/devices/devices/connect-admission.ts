import type { DeviceConnectBody } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { InvalidToken, verifyDeviceProof } from '@heliograph/wire';
import type { ClientAddress } from '../../common/client-address.ts';
import { Unavailable } from '../../common/errors.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { CONNECTS_PER_ADDRESS } from './limits.ts';
import { refusedProof } from './proof-admission.ts';
import { RetrySlots } from './retry-slots.ts';

/**
 * Concurrent calls that one process admits. Further ones are refused with 503: with thousands waiting, each device
 * would give up before its turn and call again. Simulated in `bench/scale`.
 */
const MAX_CONCURRENT_CALLS = 200;

export interface ConnectAdmissionOptions {
  readonly limits: Pick<RateLimits, 'consume'>;
  readonly clock: Clock;
  /** The cloud's public URL, for which a device makes its proof. */
  readonly cloudUrl: () => string;
}

/** Admits calls of devices by the proof of their key, as many as one process and one network may have. */
export class ConnectAdmission {
  readonly #options: ConnectAdmissionOptions;
  readonly #retrySlots = new RetrySlots();
  #callsInProgress = 0;

  constructor(options: ConnectAdmissionOptions) {
    this.#options = options;
  }

  /** @throws Unavailable with as many concurrent calls as there may be */
  refuseBeyondLimit(): void {
    if (this.#callsInProgress < MAX_CONCURRENT_CALLS) return;
    const retryAfterS = this.#retrySlots.next(this.#options.clock.monotonic());
    throw new Unavailable('Too many devices call at once', retryAfterS);
  }

  /**
   * @param answer answers the call, which counts as one in progress meanwhile
   * @throws Unauthorized when the proof is not one by this key for this cloud; Unavailable; TooManyRequests
   */
  async admit<Answer>(
    body: DeviceConnectBody,
    uid: string,
    { network }: ClientAddress,
    answer: () => Promise<Answer>,
  ): Promise<Answer> {
    await this.#verify(body, uid, network);
    this.refuseBeyondLimit();
    // Only calls with a valid proof count, so that calls without one cannot exhaust the limit.
    this.#callsInProgress++;
    try {
      await this.#options.limits.consume(CONNECTS_PER_ADDRESS, network);
      return await answer();
    } finally {
      this.#callsInProgress--;
    }
  }

  async #verify(
    { proof, public_key }: DeviceConnectBody,
    uid: string,
    network: ClientAddress['network'],
  ): Promise<void> {
    const { clock, cloudUrl, limits } = this.#options;
    try {
      await verifyDeviceProof(proof, public_key, uid, cloudUrl(), clock.now());
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      await limits.consume(CONNECTS_PER_ADDRESS, network);
      throw refusedProof(error);
    }
  }
}
