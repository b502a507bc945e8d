import {
  type AuditAction,
  type DeviceQuery,
  type DeviceSummary,
  type ListedDevice,
  type Locale,
  MAX_ID,
} from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import { orNotFound } from '../../common/errors.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import { issueRegistrationCode, REGISTRATION_CODE_MS } from '../../db/registration-codes.ts';
import type { ProxyService } from '../proxies/service.ts';
import type { Reach } from './policy.ts';
import { presentDevice, presentListed } from './present.ts';
import type { DeviceRecord, DeviceRepository, LockedDevice } from './repository.ts';

export { DeviceAccess } from './access.ts';
export { bearerOf, ProofAdmission } from './proof-admission.ts';

/** Uids are derived from keys, but a provisioned one can be any text that can be typed. */
const UID_FORM = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;

export interface Provision {
  readonly uid: string;
  readonly organizationId: number | null;
  readonly activate: boolean;
}

/** The cause of an activation, for its audit record. */
export interface ActivationCause {
  readonly by: 'person' | 'code' | 'policy' | 'licence' | 'replacement';
  /** The organization that the device is to belong to, unless it belongs to one already. */
  readonly organizationId?: number | null;
  readonly codeId?: number;
}

/** The devices of the cloud; `DeviceAccess` checks the rights of callers before. */
export class DeviceService {
  readonly #db: Database;
  readonly #devices: DeviceRepository;
  readonly #proxies: ProxyService;
  readonly #clock: Clock;

  constructor(db: Database, devices: DeviceRepository, proxies: ProxyService, clock: Clock) {
    this.#db = db;
    this.#devices = devices;
    this.#proxies = proxies;
    this.#clock = clock;
  }

  /** A page by uid; a limit above the largest page is served as the largest page. */
  async list(reach: Reach, query: DeviceQuery, locale: Locale): Promise<ListedDevice[]> {
    const filter = { prefix: query.q?.trim() ?? '', state: query.state };
    const [devices, proxies] = await Promise.all([
      this.#devices.list(reach, filter, pageFrom(query)),
      this.#proxies.directory(),
    ]);
    return devices.map((device) => presentListed(device, proxies, reach, locale));
  }

  /** @throws NotFound */
  async show(uid: string): Promise<DeviceSummary> {
    return this.#presentOne(orNotFound(await this.#devices.find(uid)));
  }

  /** By uid, without unknown ones. */
  async summaries(uids: readonly string[]): Promise<ReadonlyMap<string, DeviceSummary>> {
    const devices = await this.#present(await this.#devices.findAll(uids));
    return new Map(devices.map((device) => [device.uid, device]));
  }

  /**
   * Adds a device before its first call; an existing one is unchanged, except that it is activated on request.
   *
   * @throws ValidationError for an invalid uid, and an organization that does not exist
   */
  async provision(
    actor: Actor,
    { uid, organizationId, activate }: Provision,
  ): Promise<{ device: DeviceSummary; created: boolean }> {
    if (!UID_FORM.test(uid))
      throw new ValidationError({
        uid: [
          uid === ''
            ? "can't be blank"
            : 'must have at most 64 letters, digits, dots, colons, hyphens and underscores, and begin with a letter or digit',
        ],
      });
    await this.#requireOrganization(organizationId);
    const created = await this.#db.transaction().execute(async (tx) => {
      const added = await this.#devices.add(tx, uid, organizationId);
      if (added) await this.#record(tx, actor, 'device.provisioned', uid, organizationId);
      if (activate) await this.activateIn(tx, actor, uid, { by: 'person', organizationId });
      return added;
    });
    return { device: await this.show(uid), created };
  }

  /**
   * Activates a device, so that it can be registered. One that is activated already is unchanged.
   *
   * @param organizationId for a device without an organization
   * @throws NotFound; ValidationError for an organization that does not exist
   */
  async activate(actor: Actor, uid: string, organizationId: number | null): Promise<DeviceSummary> {
    await this.#requireOrganization(organizationId);
    await this.#db
      .transaction()
      .execute((tx) => this.activateIn(tx, actor, uid, { by: 'person', organizationId }));
    return this.show(uid);
  }

  /** As part of a transaction. @returns false when it was activated before */
  async activateIn(
    tx: Database,
    actor: Actor,
    uid: string,
    { by, organizationId = null, codeId }: ActivationCause,
  ): Promise<boolean> {
    const activated = await this.#devices.activate(tx, uid, organizationId, this.#now());
    if (activated === undefined) return false;
    const details = { by, ...(codeId !== undefined && { code_id: codeId }) };
    await this.#record(tx, actor, 'device.activated', uid, activated.organizationId, details);
    return true;
  }

  /** Revokes a device: its calls are refused, and it is offline at once. @throws NotFound */
  revoke(actor: Actor, uid: string): Promise<DeviceSummary> {
    return this.#change(actor, uid, 'device.revoked', (tx) => this.#devices.revoke(tx, uid, this.#now()));
  }

  /** Undoes a revocation. @throws NotFound */
  restore(actor: Actor, uid: string): Promise<DeviceSummary> {
    return this.#change(actor, uid, 'device.restored', (tx) => this.#devices.restore(tx, uid));
  }

  /**
   * Makes a registration code at the operator's command line, where neither the device's page nor a mail has one.
   *
   * @returns undefined unless the device is released
   */
  issueRegistrationCode(
    actor: Actor,
    uid: string,
  ): Promise<{ readonly code: string; readonly expiresAt: Date } | undefined> {
    const expiresAt = new Date(this.#clock.now() + REGISTRATION_CODE_MS.console);
    return this.#db.transaction().execute(async (tx) => {
      const code = await issueRegistrationCode(tx, uid, expiresAt);
      if (code === undefined) return undefined;
      const { organizationId } = orNotFound(await this.#devices.find(uid, tx));
      await this.#record(tx, actor, 'device.registration_code_created', uid, organizationId);
      return { code, expiresAt };
    });
  }

  /** The state without a check of rights. @returns undefined when there is no such device */
  async stateOf(uid: string): Promise<'waiting' | 'activated' | 'revoked' | undefined> {
    const device = await this.#devices.find(uid);
    if (device === undefined) return undefined;
    if (device.revokedAt !== null) return 'revoked';
    return device.activatedAt === null ? 'waiting' : 'activated';
  }

  organizationExists(id: number): Promise<boolean> {
    return this.#devices.organizationExists(id);
  }

  /** Locks a device until the transaction ends. @returns undefined when there is none */
  lock(tx: Database, uid: string): Promise<LockedDevice | undefined> {
    return this.#devices.lock(tx, uid);
  }

  async #change(
    actor: Actor,
    uid: string,
    action: AuditAction,
    change: (tx: Database) => Promise<boolean>,
  ): Promise<DeviceSummary> {
    const device = await this.#db.transaction().execute(async (tx) => {
      const changed = await change(tx);
      const current = orNotFound(await this.#devices.find(uid, tx));
      if (changed) await this.#record(tx, actor, action, uid, current.organizationId);
      return current;
    });
    return this.#presentOne(device);
  }

  #record(
    tx: Database,
    actor: Actor,
    action: AuditAction,
    deviceUid: string,
    organizationId: number | null,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    return recordAudit(tx, actor, this.#now(), { action, deviceUid, organizationId, details });
  }

  async #requireOrganization(id: number | null): Promise<void> {
    if (id === null) return;
    if (id < 1 || id > MAX_ID || !(await this.organizationExists(id))) {
      throw new ValidationError({ organization_id: ['does not exist'] });
    }
  }

  async #present(devices: readonly DeviceRecord[]): Promise<DeviceSummary[]> {
    const proxies = await this.#proxies.directory();
    return devices.map((device) => presentDevice(device, proxies));
  }

  async #presentOne(device: DeviceRecord): Promise<DeviceSummary> {
    return presentDevice(device, await this.#proxies.directory());
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}
