import { type AuditAction, type DeviceSummary, MAX_ID } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import { orNotFound } from '../../common/errors.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { issueRegistrationCode, REGISTRATION_CODE_MS } from '../../db/registration-codes.ts';
import type { Platform } from '../../platform.ts';
import type { DevicePlatform } from '../platform.ts';
import { presentDevice } from './present.ts';
import { findDevice, organizationExists } from './rows.ts';

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

// None of these checks the rights of a caller.

/** @throws NotFound */
export async function showDevice({ db, proxies }: DevicePlatform, uid: string): Promise<DeviceSummary> {
  const device = orNotFound(await findDevice(db, uid));
  return presentDevice(device, await proxies.directory());
}

/**
 * Adds a device before its first call; an existing one is unchanged, except that it is activated on request.
 *
 * @throws ValidationError for an invalid uid, and an organization that does not exist
 */
export async function provision(
  platform: DevicePlatform,
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
  await requireOrganization(platform.db, organizationId);
  const created = await platform.db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('devices')
      .values({ uid, organization_id: organizationId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('uid')
      .executeTakeFirst();
    if (added !== undefined) await record(platform, tx, actor, 'device.provisioned', uid, organizationId);
    if (activate) await activateIn(platform, tx, actor, uid, { by: 'person', organizationId });
    return added !== undefined;
  });
  return { device: await showDevice(platform, uid), created };
}

/**
 * Activates a device, so that it can be registered. One that is activated already is unchanged.
 *
 * @param organizationId for a device without an organization
 * @throws NotFound; ValidationError for an organization that does not exist
 */
export async function activate(
  platform: DevicePlatform,
  actor: Actor,
  uid: string,
  organizationId: number | null,
): Promise<DeviceSummary> {
  await requireOrganization(platform.db, organizationId);
  await platform.db
    .transaction()
    .execute((tx) => activateIn(platform, tx, actor, uid, { by: 'person', organizationId }));
  return showDevice(platform, uid);
}

/**
 * Activates a device as part of a transaction, and deletes the request for it; the organization of a device that has one is
 * unchanged.
 *
 * @returns false when it was activated before, or there is none
 */
export async function activateIn(
  platform: Pick<Platform, 'clock'>,
  tx: Database,
  actor: Actor,
  uid: string,
  { by, organizationId = null, codeId }: ActivationCause,
): Promise<boolean> {
  const activated = await tx
    .updateTable('devices')
    .set({
      activated_at: new Date(platform.clock.now()),
      organization_id: sql`coalesce(organization_id, ${organizationId})`,
    })
    .where('uid', '=', uid)
    .where('activated_at', 'is', null)
    .returning('organization_id as organizationId')
    .executeTakeFirst();
  if (activated === undefined) return false;
  await dropRequest(tx, uid);
  const details = { by, ...(codeId !== undefined && { code_id: codeId }) };
  await record(platform, tx, actor, 'device.activated', uid, activated.organizationId, details);
  return true;
}

/**
 * Revokes a device: its calls are refused. If it has a site, the database takes it offline and has the proxies end its
 * sessions.
 *
 * @throws NotFound
 */
export function revoke(platform: DevicePlatform, actor: Actor, uid: string): Promise<DeviceSummary> {
  return change(platform, actor, uid, 'device.revoked', async (tx) => {
    const revoked = await tx
      .updateTable('devices')
      .set({ revoked_at: new Date(platform.clock.now()) })
      .where('uid', '=', uid)
      .where('revoked_at', 'is', null)
      .returning('uid')
      .executeTakeFirst();
    if (revoked !== undefined) await dropRequest(tx, uid);
    return revoked !== undefined;
  });
}

/** Undoes a revocation. @throws NotFound */
export function restore(platform: DevicePlatform, actor: Actor, uid: string): Promise<DeviceSummary> {
  return change(platform, actor, uid, 'device.restored', async (tx) => {
    const restored = await tx
      .updateTable('devices')
      .set({ revoked_at: null })
      .where('uid', '=', uid)
      .where('revoked_at', 'is not', null)
      .returning('uid')
      .executeTakeFirst();
    return restored !== undefined;
  });
}

/**
 * Makes a registration code at the operator's command line, where neither the device's page nor a mail has one.
 *
 * @returns undefined unless the device is released
 */
export function createRegistrationCode(
  platform: Platform,
  actor: Actor,
  uid: string,
): Promise<{ readonly code: string; readonly expiresAt: Date } | undefined> {
  const expiresAt = new Date(platform.clock.now() + REGISTRATION_CODE_MS.console);
  return platform.db.transaction().execute(async (tx) => {
    const code = await issueRegistrationCode(tx, uid, expiresAt);
    if (code === undefined) return undefined;
    const { organizationId } = orNotFound(await findDevice(tx, uid));
    await record(platform, tx, actor, 'device.registration_code_created', uid, organizationId);
    return { code, expiresAt };
  });
}

/** @returns undefined when there is no such device */
export async function activationOf(
  db: Database,
  uid: string,
): Promise<'waiting' | 'activated' | 'revoked' | undefined> {
  const device = await findDevice(db, uid);
  if (device === undefined) return undefined;
  if (device.revokedAt !== null) return 'revoked';
  return device.activatedAt === null ? 'waiting' : 'activated';
}

async function change(
  platform: DevicePlatform,
  actor: Actor,
  uid: string,
  action: AuditAction,
  apply: (tx: Database) => Promise<boolean>,
): Promise<DeviceSummary> {
  const device = await platform.db.transaction().execute(async (tx) => {
    const changed = await apply(tx);
    const current = orNotFound(await findDevice(tx, uid));
    if (changed) await record(platform, tx, actor, action, uid, current.organizationId);
    return current;
  });
  return presentDevice(device, await platform.proxies.directory());
}

function record(
  { clock }: Pick<Platform, 'clock'>,
  tx: Database,
  actor: Actor,
  action: AuditAction,
  deviceUid: string,
  organizationId: number | null,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return recordAudit(tx, actor, new Date(clock.now()), { action, deviceUid, organizationId, details });
}

async function requireOrganization(db: Database, id: number | null): Promise<void> {
  if (id === null) return;
  if (id < 1 || id > MAX_ID || !(await organizationExists(db, id))) {
    throw new ValidationError({ organization_id: ['does not exist'] });
  }
}

async function dropRequest(tx: Database, uid: string): Promise<void> {
  await tx.deleteFrom('activation_requests').where('uid', '=', uid).execute();
}
