import { ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import { UnknownDevice } from '../../common/errors.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
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

/** Decides on the rights of callers to devices. Each method throws the error for the caller when there is none. */
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

  /** For revoking and restoring. @throws NotFound; Forbidden; TooManyRequests */
  async requireManaged(caller: Caller, uid: string): Promise<void> {
    const reach = await this.reachOf(caller);
    const { organizationId } = await this.#lookUp(caller, uid, (device) => this.#exists(reach, device));
    requireManaged(reach, organizationId);
  }

  /**
   * @param named the organization that the device is to belong to, if the caller names one
   * @returns the organization for the device
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

  /** Only failed look-ups count, so that the limit stops clients that try uids and no owner of many devices. */
  async #lookUp(
    { userId, network }: Caller,
    uid: string,
    exists: (device: DeviceRecord) => Promise<boolean>,
  ): Promise<DeviceRecord> {
    const caller = String(userId);
    // Consumed first and returned on success: concurrent attempts do not evade the limit.
    await this.#limits.consume(MISSES_PER_ADDRESS, network);
    await this.#limits.consume(MISSES_PER_CALLER, caller);
    const device = await this.#devices.find(uid);
    if (device === undefined || !(await exists(device))) throw new UnknownDevice();
    await this.#limits.reward(MISSES_PER_ADDRESS, network);
    await this.#limits.reward(MISSES_PER_CALLER, caller);
    return device;
  }
}
