import { isLocale, NO_LOCALE, type UpdateProfileBody, type User } from '@heliograph/contracts';
import { Unauthorized, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { type AuditEvent, recordAudit, recordAudits } from '../../db/audit.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { presentUser, USER_COLUMNS } from './present.ts';
import { lockProfile, type Profile } from './records.ts';

/** The caller's own account, and the organization that the token is scoped to. @throws Unauthorized when it is gone */
export async function getCurrentUser({ db }: Platform, { userId, organizationId }: Caller): Promise<User> {
  const row = await db
    .selectFrom('users')
    .leftJoin('organizations', (join) => join.on('organizations.id', '=', organizationId))
    .select([...USER_COLUMNS, 'organizations.name as organizationName'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) throw new Unauthorized('The account no longer exists');
  const { organizationName: name, ...user } = row;
  return presentUser(user, organizationId === null || name === null ? null : { id: organizationId, name });
}

/** Changes the caller's own account. @throws ValidationError for an unknown language */
export async function updateCurrentUser(
  platform: Platform,
  caller: Caller,
  { body: { locale } }: InputOf<'updateCurrentUser'>,
): Promise<User> {
  if (!isLocale(locale)) throw new ValidationError({ locale: [NO_LOCALE] });
  const { db, clock } = platform;
  const { userId, organizationId } = caller;
  await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('users')
      .select('locale')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (before === undefined || before.locale === locale) return;
    await tx.updateTable('users').set({ locale }).where('id', '=', userId).execute();
    await recordAudit(tx, actorOf(caller), new Date(clock.now()), {
      action: 'account.changed',
      userId,
      organizationId,
      details: { locale: { from: before.locale, to: locale } },
    });
  });
  return getCurrentUser(platform, caller);
}

/** Changes the name and the phone number of the caller's own account. Both are recorded, each where it changed. */
export async function updateProfile(
  platform: Platform,
  caller: Caller,
  { body }: InputOf<'updateProfile'>,
): Promise<User> {
  const { db, clock } = platform;
  const { userId, organizationId } = caller;
  await db.transaction().execute(async (tx) => {
    const before = await lockProfile(tx, userId);
    if (before === undefined) return;
    const after = profileOf(body, before);
    const events = changesOf(before, after);
    if (events.length === 0) return;
    await tx.updateTable('users').set(after).where('id', '=', userId).execute();
    const about = events.map((event) => ({ ...event, userId, organizationId }));
    await recordAudits(tx, actorOf(caller), new Date(clock.now()), about);
  });
  return getCurrentUser(platform, caller);
}

/** The profile after a change. */
function profileOf(body: UpdateProfileBody, before: Profile): Profile {
  const { first_name: first, last_name: last, phone_number: phone } = body;
  return {
    first_name: first?.trim() ?? before.first_name,
    last_name: last?.trim() ?? before.last_name,
    phone_number: phone === undefined ? before.phone_number : phone?.trim() || null,
  };
}

/** The records of a change; none where all is as before. */
function changesOf(before: Profile, after: Profile): readonly AuditEvent[] {
  const names = differences(before, after, ['first_name', 'last_name']);
  const others = differences(before, after, ['phone_number']);
  return [
    ...(names === undefined ? [] : [{ action: 'account.renamed', details: names } as const]),
    ...(others === undefined ? [] : [{ action: 'account.changed', details: others } as const]),
  ];
}

/** `{ from, to }` of each of the fields that differs; undefined where none does. */
function differences(
  before: Profile,
  after: Profile,
  fields: readonly (keyof Profile)[],
): AuditEvent['details'] | undefined {
  const changed = fields.filter((field) => before[field] !== after[field]);
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
}
