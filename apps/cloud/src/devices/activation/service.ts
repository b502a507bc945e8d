import type {
  ActivationRequest,
  PageQuery,
  RequestActivationAnswer,
  RequestActivationBody,
  SiteWithToken,
} from '@heliograph/contracts';
import { type Clock, NotFound } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import { organizationForNewSites } from '../../identity/users/home-organization.ts';
import type { DeviceAccess, DeviceService } from '../devices/service.ts';
import type { ActivationCodeService } from './codes.ts';
import { REQUESTS_PER_ADDRESS, REQUESTS_PER_CALLER, REQUESTS_PER_DEVICE } from './limits.ts';
import { requireDecider } from './policy.ts';
import { presentActivated, presentRequest, presentRequested } from './present.ts';
import type { RequestRepository } from './request-repository.ts';

export { ActivationCodeService, type CodeTerms } from './codes.ts';

/** Registers an activated device as a site of the caller. */
export type RegisterSite = (
  caller: Caller,
  device: Pick<RequestActivationBody, 'uid' | 'code'>,
) => Promise<SiteWithToken>;

export interface ActivationOptions {
  readonly db: Database;
  readonly requests: RequestRepository;
  readonly codes: ActivationCodeService;
  readonly devices: DeviceService;
  readonly access: DeviceAccess;
  readonly register: RegisterSite;
  readonly limits: RateLimits;
  readonly clock: Clock;
  /** Whether a request is granted at once, or waits for a decision. */
  readonly activatesAutomatically: boolean;
}

/** Requests for activation by the holders of devices. */
export class ActivationService {
  readonly #options: ActivationOptions;

  constructor(options: ActivationOptions) {
    this.#options = options;
  }

  /**
   * Registers a device to the caller if it is activated, or can be: with a code, or by the service's policy.
   * Otherwise the request is stored for a decision.
   *
   * @throws NotFound for an unknown uid, and for another account's device; Unprocessable for an invalid code, and for
   * a released device without a registration code; TooManyRequests
   */
  async request(caller: Caller, body: RequestActivationBody): Promise<RequestActivationAnswer> {
    const { devices, register } = this.#options;
    const { uid, code = null } = body;
    await this.#consumeLimits(caller, uid);
    const state = await devices.stateOf(uid);
    if (state === undefined || state === 'revoked') throw new NotFound();
    if (state !== 'activated' && !(await this.#activate(caller, body))) return presentRequested();
    return presentActivated(await register(caller, { uid, code }));
  }

  /** The requests that the caller can decide on. @throws Forbidden for callers who decide on none */
  async list(caller: Caller, query: PageQuery): Promise<ActivationRequest[]> {
    const { requests, devices, access } = this.#options;
    const reach = await access.reachOf(caller);
    requireDecider(reach);
    const waiting = await requests.list(reach, pageFrom(query));
    const summaries = await devices.summaries(waiting.map(({ uid }) => uid));
    return waiting.flatMap((request) => {
      const device = summaries.get(request.uid);
      return device === undefined ? [] : [presentRequest(request, device, caller.locale)];
    });
  }

  /**
   * Deletes a request; the device can be requested again.
   *
   * @throws Forbidden for callers who decide on none; NotFound for a request that the caller cannot decide on
   */
  async decline(caller: Caller, uid: string): Promise<void> {
    const { db, requests, access, clock } = this.#options;
    const reach = await access.reachOf(caller);
    requireDecider(reach);
    await db.transaction().execute(async (tx) => {
      const { userId, organizationId } = orNotFound(await requests.remove(tx, reach, uid));
      const about = { deviceUid: uid, organizationId, userId };
      const event = { action: 'device.activation_declined', ...about } as const;
      await recordAudit(tx, actorOf(caller), new Date(clock.now()), event);
    });
  }

  /** @returns whether the device is activated now */
  async #activate(caller: Caller, { uid, code, message }: RequestActivationBody): Promise<boolean> {
    const { codes, devices, activatesAutomatically, db } = this.#options;
    const actor = actorOf(caller);
    if (typeof code === 'string' && code.trim() !== '') {
      await codes.redeem(actor, uid, code);
      return true;
    }
    if (activatesAutomatically) {
      await db.transaction().execute((tx) => devices.activateIn(tx, actor, uid, { by: 'policy' }));
      return true;
    }
    return !(await this.#storeRequest(caller, uid, message ?? ''));
  }

  /** @returns false when the device was activated in the meantime */
  async #storeRequest(caller: Caller, uid: string, message: string): Promise<boolean> {
    const { db, requests, devices, clock } = this.#options;
    const home = await organizationForNewSites(db, caller);
    const at = new Date(clock.now());
    return db.transaction().execute(async (tx) => {
      const device = await devices.lock(tx, uid);
      if (device === undefined || device.revokedAt !== null) throw new NotFound();
      if (device.activatedAt !== null) return false;
      const organizationId = device.organizationId ?? home;
      await requests.save(tx, { uid, userId: caller.userId, organizationId, message, at });
      const event = { action: 'device.activation_requested', deviceUid: uid, organizationId } as const;
      await recordAudit(tx, actorOf(caller), at, event);
      return true;
    });
  }

  async #consumeLimits({ userId, network }: Caller, uid: string): Promise<void> {
    const { limits } = this.#options;
    await limits.consume(REQUESTS_PER_ADDRESS, network);
    await limits.consume(REQUESTS_PER_CALLER, String(userId));
    await limits.consume(REQUESTS_PER_DEVICE, `${userId} ${uid}`);
  }
}
