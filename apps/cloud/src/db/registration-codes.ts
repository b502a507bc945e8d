import { type SqlBool, sql } from 'kysely';
import { codeHash, newCode } from '../common/secrets/typed-code.ts';
import type { Database } from './open.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Lifetimes of registration codes, by where people read them. */
export const REGISTRATION_CODE_MS = {
  devicePage: 15 * MINUTE_MS,
  mail: 7 * DAY_MS,
  console: DAY_MS,
} as const;

/** Whether registering a device takes a code: it has lost its site, and is none's since. */
export const TAKES_REGISTRATION_CODE = sql<SqlBool>`devices.site_id is null and devices.former_site_id is not null`;

/**
 * Makes a code that registers a released device, and stores its digest.
 *
 * @param formerSiteId only if the device lost this site last
 * @returns undefined for a device that takes none, or is revoked
 */
export async function issueRegistrationCode(
  db: Database,
  uid: string,
  expiresAt: Date,
  formerSiteId?: number,
): Promise<string | undefined> {
  const code = newCode();
  const issued = await db
    .insertInto('registration_codes')
    .columns(['hash', 'uid', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('devices')
        .select([
          sql<Buffer>`${codeHash(code)}::bytea`.as('hash'),
          'devices.uid',
          sql<Date>`${expiresAt}::timestamptz`.as('expires_at'),
        ])
        .where('devices.uid', '=', uid)
        .where('devices.revoked_at', 'is', null)
        .where(TAKES_REGISTRATION_CODE)
        .$if(formerSiteId !== undefined, (devices) =>
          devices.where('devices.former_site_id', '=', formerSiteId ?? null),
        ),
    )
    .returning('uid')
    .executeTakeFirst();
  return issued === undefined ? undefined : code;
}

/** Spends a code of a device; of several callers at once one does. @returns false when it is not valid */
export async function spendRegistrationCode(
  tx: Database,
  uid: string,
  typed: string,
  now: Date,
): Promise<boolean> {
  const spent = await tx
    .deleteFrom('registration_codes')
    .where('hash', '=', codeHash(typed))
    .where('uid', '=', uid)
    .where('expires_at', '>', now)
    .returning('uid')
    .executeTakeFirst();
  return spent !== undefined;
}
