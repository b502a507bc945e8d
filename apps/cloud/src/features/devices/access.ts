import { NotFound, ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import { MISSES_PER_ADDRESS, MISSES_PER_CALLER } from './limits.ts';
import {
  isUnclaimed,
  isVisible,
  organizationFor,
  type Reach,
  reachOf,
  requireActivator,
  requireManaged,
  requireProvisioner,
} from './policy.ts';
import type { DeviceRecord, DeviceRepository } from './repository.ts';

/** Decides what a caller may do to which device. Each method returns, or throws what the caller is to be told. */
export class DeviceAccess {
  readonly #devices: DeviceRepository;
  readonly #limits: RateLimits;

  constructor(devices: DeviceRepository, limits: RateLimits) {
    this.#devices = devices;
    this.#limits = limits;
  }

  async reachOf(caller: Caller): Promise<Reach> {
    return reachOf(caller, caller.staff ? [] : await this.#devices.employerRoles(caller.userId));
  }

  /** @throws NotFound; TooManyRequests */
  async requireVisible(caller: Caller, uid: string): Promise<void> {
    const reach = await this.reachOf(caller);
    await this.#lookUp(caller, uid, (device) => this.#exists(reach, device));
  }

  /** To revoke or restore. @throws NotFound; Forbidden; TooManyRequests */
  async requireManaged(caller: Caller, uid: string): Promise<void> {
    const reach = await this.reachOf(caller);
    const { organizationId } = await this.#lookUp(caller, uid, (device) => this.#exists(reach, device));
    requireManaged(reach, organizationId);
  }

  /**
   * @param named the organization that the device is to belong to, if the caller says so
   * @returns the organization that it is to belong to
   * @throws NotFound; Forbidden; ValidationError; TooManyRequests
   */
  async requireActivatable(caller: Caller, uid: string, named?: number | null): Promise<number | null> {
    const reach = await this.reachOf(caller);
    requireActivator(reach);
    const device = await this.#lookUp(caller, uid, async (known) => {
      return isUnclaimed(known) || (await this.#exists(reach, known));
    });
    const { organizationId, siteId, activatedAt } = device;
    if (organizationId !== null || siteId !== null) requireManaged(reach, organizationId);
    if (activatedAt !== null) return null;
    if (organizationId === null) return organizationFor(reach, named);
    if (named !== undefined && named !== null && named !== organizationId) {
      throw new ValidationError({ organization_id: ['is not the one that the device belongs to'] });
    }
    return organizationId;
  }

  /** @throws Forbidden */
  async requireProvisioner(caller: Caller): Promise<void> {
    requireProvisioner(await this.reachOf(caller));
  }

  async #exists(reach: Reach, device: DeviceRecord): Promise<boolean> {
    if (isVisible(reach, device)) return true;
    return device.siteId !== null && (await this.#devices.isOwnSite(reach.sites, device.siteId));
  }

  /** Only look-ups that find nothing count: whoever tries uids is stopped, and whoever has many devices is not. */
  async #lookUp(
    { userId, network }: Caller,
    uid: string,
    exists: (device: DeviceRecord) => Promise<boolean>,
  ): Promise<DeviceRecord> {
    const caller = String(userId);
    // Taken first and given back on success: of many guesses at once none gets around the limit.
    await this.#limits.consume(MISSES_PER_ADDRESS, network);
    await this.#limits.consume(MISSES_PER_CALLER, caller);
    const device = await this.#devices.find(uid);
    if (device === undefined || !(await exists(device))) throw new NotFound();
    await this.#limits.reward(MISSES_PER_ADDRESS, network);
    await this.#limits.reward(MISSES_PER_CALLER, caller);
    return device;
  }
}
