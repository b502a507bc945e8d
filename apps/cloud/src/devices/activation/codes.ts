import type { ActivationCode, CreatedActivationCode, PageQuery } from '@heliograph/contracts';
import { NotFound, Unprocessable, ValidationError } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { actorOf, type Caller, requireFreshSignIn } from '../../access/caller.ts';
import { codeHash, newCode } from '../../common/secrets/typed-code.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import { addDelegation, isSuspended } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { findReach } from '../devices/access.ts';
import { activateIn } from '../devices/lifecycle.ts';
import { lockDevice, organizationExists } from '../devices/rows.ts';
import { requireCodeManager } from './policy.ts';
import { presentCode, presentNewCode } from './present.ts';

// Codes activate a device for any holder. Those of the service itself activate devices of no organization.

type Ground = Pick<Platform, 'db' | 'clock'>;

export interface CodeTerms {
  /** Null for a code of the service itself. */
  readonly organizationId: number | null;
  /** Number of devices that it activates. */
  readonly uses: number;
  readonly expiresAt: Date | null;
}

/** An organization, or null for the service itself. */
export type CodeOwner = number | null | 'anyone';

export type ActivationCodeRecord = Awaited<ReturnType<typeof selectCodes>>[number];

/** The code is in the answer, and stored only as a digest. @throws NotFound; Forbidden; FreshSignInRequired; ValidationError */
export function createActivationCode(
  platform: Ground,
  caller: Caller,
  { params: { id }, body }: InputOf<'createActivationCode'>,
): Promise<CreatedActivationCode> {
  return createFor(platform, caller, id, body);
}

/** @throws as `createActivationCode` */
export function createServiceActivationCode(
  platform: Ground,
  caller: Caller,
  { body }: InputOf<'createServiceActivationCode'>,
): Promise<CreatedActivationCode> {
  return createFor(platform, caller, null, body);
}

/** @throws NotFound; Forbidden */
export async function listActivationCodes(
  { db }: Ground,
  caller: Caller,
  { params: { id }, query }: InputOf<'listActivationCodes'>,
): Promise<ActivationCode[]> {
  await requireManagedCodes(db, caller, id);
  return codesOf(db, id, query);
}

/** @throws Forbidden */
export async function listServiceActivationCodes(
  { db }: Ground,
  caller: Caller,
  { query }: InputOf<'listServiceActivationCodes'>,
): Promise<ActivationCode[]> {
  await requireManagedCodes(db, caller, null);
  return codesOf(db, null, query);
}

/** Devices that the code activated stay active. @throws NotFound; Forbidden */
export async function revokeActivationCode(
  platform: Ground,
  caller: Caller,
  { params: { id, code_id: codeId } }: InputOf<'revokeActivationCode'>,
): Promise<void> {
  await requireManagedCodes(platform.db, caller, id);
  await revokeCode(platform, actorOf(caller), id, codeId);
}

/** @throws as `revokeActivationCode` */
export async function revokeServiceActivationCode(
  platform: Ground,
  caller: Caller,
  { params: { code_id: codeId } }: InputOf<'revokeServiceActivationCode'>,
): Promise<void> {
  await requireManagedCodes(platform.db, caller, null);
  await revokeCode(platform, actorOf(caller), null, codeId);
}

async function createFor(
  platform: Ground,
  caller: Caller,
  organizationId: number | null,
  { uses = 1, expires_at = null }: InputOf<'createActivationCode'>['body'],
): Promise<CreatedActivationCode> {
  await requireManagedCodes(platform.db, caller, organizationId);
  requireFreshSignIn(caller, platform.clock.now());
  const expiresAt = expires_at === null ? null : new Date(expires_at);
  return createCode(platform, actorOf(caller), { organizationId, uses, expiresAt });
}

/** @throws NotFound; Forbidden unless the caller manages the codes */
async function requireManagedCodes(
  db: Database,
  caller: Caller,
  organizationId: number | null,
): Promise<void> {
  const [reach, exists] = await Promise.all([
    findReach(db, caller),
    organizationId === null || organizationExists(db, organizationId),
  ]);
  requireCodeManager(reach, organizationId, exists);
}

/** @throws ValidationError */
export function createCode(platform: Ground, actor: Actor, terms: CodeTerms): Promise<CreatedActivationCode> {
  return platform.db.transaction().execute(async (tx) => {
    const made = await createCodeIn(platform, tx, actor, terms);
    const { organizationId } = terms;
    const about = { kind: 'activation_code', activationCodeId: made.id, organizationId } as const;
    if (actor.userId !== null) await addDelegation(tx, actor, about, new Date(platform.clock.now()));
    return made;
  });
}

/** As part of a transaction, for an order, whose buyer has paid for it. @throws ValidationError */
export async function createCodeIn(
  { clock }: Ground,
  tx: Database,
  actor: Actor,
  { organizationId, uses, expiresAt }: CodeTerms,
): Promise<CreatedActivationCode> {
  const at = new Date(clock.now());
  if (expiresAt !== null && !(expiresAt > at))
    throw new ValidationError({ expires_at: ['must be in the future'] });
  const code = newCode();
  const record = await tx
    .insertInto('activation_codes')
    .values({
      hash: codeHash(code),
      organization_id: organizationId,
      uses_left: uses,
      created_by: actor.userId,
      created_at: at,
      expires_at: expiresAt,
    })
    .returning(CODE_COLUMNS)
    .executeTakeFirstOrThrow();
  const details = { code_id: record.id, uses, expires_at: expiresAt?.toISOString() ?? null };
  await recordAudit(tx, actor, at, { action: 'activation_code.created', organizationId, details });
  return presentNewCode(record, code);
}

/** @param organizationId null for the codes of the service itself */
export async function codesOf(
  db: Database,
  organizationId: number | null,
  query: PageQuery,
): Promise<ActivationCode[]> {
  return (await selectCodes(db, organizationId, query)).map(presentCode);
}

/** The codes of all organizations and of the service itself. */
export async function allCodes(
  db: Database,
  query: PageQuery,
): Promise<(ActivationCode & { readonly organization_id: number | null })[]> {
  const codes = await selectCodes(db, 'anyone', query);
  return codes.map((code) => ({ ...presentCode(code), organization_id: code.organizationId }));
}

/** @throws NotFound */
export function revokeCode(platform: Ground, actor: Actor, owner: CodeOwner, id: number): Promise<void> {
  return platform.db.transaction().execute((tx) => revokeCodeIn(platform, tx, actor, owner, id));
}

/** As part of a transaction. @throws NotFound when the owner has no such code */
export async function revokeCodeIn(
  { clock }: Ground,
  tx: Database,
  actor: Actor,
  owner: CodeOwner,
  id: number,
): Promise<void> {
  const removed = await tx
    .deleteFrom('activation_codes')
    .where('id', '=', id)
    .where(ownedBy(owner))
    .returning('organization_id as organizationId')
    .executeTakeFirst();
  if (removed === undefined) throw new NotFound();
  const { organizationId } = removed;
  const event = { action: 'activation_code.revoked', organizationId, details: { code_id: id } } as const;
  await recordAudit(tx, actor, new Date(clock.now()), event);
}

/** Locks a code until the transaction ends. @returns undefined when there is none */
export async function codeUsesLeft(tx: Database, id: number): Promise<number | undefined> {
  const code = await tx
    .selectFrom('activation_codes')
    .select('uses_left')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return code?.uses_left;
}

/**
 * Activates a device with a code. An active device takes no use; concurrent callers get no more uses than there are.
 *
 * @throws Unprocessable when the code is not valid for the device; NotFound
 */
export async function redeemCode(platform: Ground, actor: Actor, uid: string, code: string): Promise<void> {
  await platform.db.transaction().execute(async (tx) => {
    const device = await lockDevice(tx, uid);
    if (device === undefined || device.revokedAt !== null) throw new NotFound();
    if (device.activatedAt !== null) return;
    const used = await takeUse(tx, codeHash(code), device.organizationId, new Date(platform.clock.now()));
    if (used === undefined) throw new Unprocessable('The activation code is not valid or was used up');
    const { id: codeId, organizationId } = used;
    await activateIn(platform, tx, actor, uid, { by: 'code', codeId, organizationId });
  });
}

/**
 * @param deviceOrganizationId a device of an organization accepts no other's code
 * @returns undefined when there is no such code, or it has no use left or has expired
 */
function takeUse(tx: Database, hash: Buffer, deviceOrganizationId: number | null, at: Date) {
  return tx
    .updateTable('activation_codes')
    .set((eb) => ({ uses_left: eb('uses_left', '-', 1) }))
    .where('hash', '=', hash)
    .where('uses_left', '>', 0)
    .where(({ not }) => not(isSuspended('activation_code_id', sql.ref('activation_codes.id'))))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .$if(deviceOrganizationId !== null, (codes) =>
      codes.where((eb) =>
        eb.or([eb('organization_id', 'is', null), eb('organization_id', '=', deviceOrganizationId)]),
      ),
    )
    .returning(['id', 'organization_id as organizationId'])
    .executeTakeFirst();
}

const CODE_COLUMNS = [
  'id',
  'organization_id as organizationId',
  'uses_left as usesLeft',
  'created_by as createdBy',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const;

/** The newest first, used up and expired ones included. */
function selectCodes(db: Database, owner: CodeOwner, query: PageQuery) {
  const { offset, limit } = pageFrom(query);
  return db
    .selectFrom('activation_codes')
    .select(CODE_COLUMNS)
    .where(ownedBy(owner))
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
}

function ownedBy(owner: CodeOwner) {
  if (owner === 'anyone') return sql<SqlBool>`true`;
  return sql<SqlBool>`organization_id is not distinct from ${owner}`;
}
