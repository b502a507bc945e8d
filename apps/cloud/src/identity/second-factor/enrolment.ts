import type {
  NewAuthenticatorApp,
  PasskeyAdded,
  PasskeyCreationOptions,
  RecoveryCodes,
  SecondFactor,
  SecondFactorAdded,
} from '@heliograph/contracts';
import { NotFound, Unauthorized, Unprocessable, ValidationError } from '@heliograph/kit';
import { personName } from '@heliograph/kit/person-name';
import type { Caller, Enrollee } from '../../access/caller.ts';
import { SERVICE_NAME } from '../../common/config/env.ts';
import { type AuditEvent, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { SecondFactorMail } from '../../delivery/mail/service.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { ServerPlatform } from '../../platform.ts';
import {
  type AuthenticatorAppRecord,
  clearFreshSignIns,
  confirmApp,
  deleteApp,
  finishByEnrolment,
  lockFactors,
  organizationsRequiringFactor,
  recoveryCodesLeft,
  selectApp,
  setSecondFactorAt,
  setUnconfirmedApp,
  storeRecoveryCodes,
} from './factor-records.ts';
import { openTotp, recoveryKeys, sealTotp } from './factor-secrets.ts';
import { SECOND_FACTORS_ADDED, SECOND_FACTORS_PER_ACCOUNT } from './limits.ts';
import { deletePasskey, selectPasskeys } from './passkey-records.ts';
import { registrationOptions, storePasskey, userHandle, verifyNewPasskey } from './passkeys.ts';
import { presentApp, presentPasskey } from './present.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';
import type { RelyingParty } from './relying-party.ts';
import { newTotpSecret, totpStepOf, totpUri } from './totp.ts';

/** How long an unconfirmed secret is answered again. */
const SET_UP_LIFETIME_MS = 15 * 60 * 1000;

const MAX_PASSKEYS = 20;
const MAX_NAME_LENGTH = 100;

type LockedAccount = NonNullable<Awaited<ReturnType<typeof lockFactors>>>;

export async function getSecondFactor(
  { db, config }: ServerPlatform,
  { userId }: Caller,
): Promise<SecondFactor> {
  const [app, passkeys, left, requiredBy] = await Promise.all([
    selectApp(db, userId),
    selectPasskeys(db, userId),
    recoveryCodesLeft(db, userId),
    organizationsRequiringFactor(db, userId),
  ]);
  return {
    passkeys: passkeys.map(presentPasskey),
    user_handle: userHandle(config.secret, userId).toString('base64url'),
    totp: presentApp(app),
    recovery_codes_left: left,
    required_by: requiredBy,
  };
}

/**
 * Creates a secret for an app, which becomes valid with a first code. Until then the same caller gets the same secret:
 * phones discard a page while its person is in the app.
 *
 * @param renew creates another secret in any case
 * @throws Unprocessable; Unauthorized
 */
export function startAuthenticatorApp(
  platform: ServerPlatform,
  enrollee: Enrollee,
  { body: { renew = false } }: InputOf<'startAuthenticatorApp'>,
): Promise<NewAuthenticatorApp> {
  const { secret } = platform.config;
  return change(platform, enrollee, async (tx, { email }, at) => {
    const startedBy = starterOf(enrollee);
    const app = await selectApp(tx, enrollee.userId);
    if (!renew && app !== undefined && isBeingSetUp(app, startedBy, at))
      return describeApp(openTotp(secret, app.sealed), email);
    const totpSecret = newTotpSecret();
    const sealed = sealTotp(secret, totpSecret);
    if (!(await setUnconfirmedApp(tx, enrollee.userId, { sealed, startedBy }, at)))
      throw new Unprocessable('The account has an authenticator app: remove it first');
    return describeApp(totpSecret, email);
  });
}

/** @throws ValidationError for a wrong code; Unprocessable; Unauthorized; TooManyRequests */
export async function confirmAuthenticatorApp(
  platform: ServerPlatform,
  enrollee: Enrollee,
  { body: { otp } }: InputOf<'confirmAuthenticatorApp'>,
): Promise<SecondFactorAdded> {
  const { config, limits } = platform;
  await limits.consume(SECOND_FACTORS_ADDED, String(enrollee.userId));
  await limits.consume(SECOND_FACTORS_PER_ACCOUNT, String(enrollee.userId));
  return change(platform, enrollee, async (tx, account, at) => {
    const app = await selectApp(tx, enrollee.userId);
    if (app === undefined || app.confirmedAt !== null)
      throw new Unprocessable('No authenticator app is being set up: start again');
    const step = await totpStepOf(openTotp(config.secret, app.sealed), otp, at.getTime());
    if (step === undefined) throw new ValidationError({ otp: ['is wrong'] });
    await confirmApp(tx, enrollee.userId, step, at);
    await limits.reward(SECOND_FACTORS_PER_ACCOUNT, String(enrollee.userId));
    await record(platform, tx, enrollee, 'authenticator_app.added', { event: 'app_added' });
    return { recovery_codes: await enableSecondFactor(platform, tx, enrollee, account, at) };
  });
}

/** @throws NotFound; Unprocessable for the last one where the account must have one */
export function removeAuthenticatorApp(platform: ServerPlatform, enrollee: Enrollee): Promise<void> {
  return change(platform, enrollee, async (tx) => {
    if (!(await deleteApp(tx, enrollee.userId))) throw new NotFound();
    await record(platform, tx, enrollee, 'authenticator_app.removed', { event: 'app_removed' });
    await disableAfterLastFactor(platform, tx, enrollee.userId);
  });
}

export async function startPasskey(
  platform: ServerPlatform,
  { userId }: Enrollee,
  party: RelyingParty,
): Promise<PasskeyCreationOptions> {
  const account = await platform.db
    .selectFrom('users')
    .select(['email', 'locale', 'first_name as firstName', 'last_name as lastName'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (account === undefined) throw new Unauthorized('The account no longer exists');
  const { email, firstName, lastName, locale } = account;
  const name = personName({ email, first_name: firstName, last_name: lastName }, locale);
  return registrationOptions(platform, { id: userId, email, name }, party);
}

/** @throws ValidationError; Unprocessable; Unauthorized; TooManyRequests */
export async function addPasskey(
  platform: ServerPlatform,
  enrollee: Enrollee,
  { body: { name: typed, passkey } }: InputOf<'addPasskey'>,
): Promise<PasskeyAdded> {
  const name = readName(typed);
  await platform.limits.consume(SECOND_FACTORS_ADDED, String(enrollee.userId));
  const verified = await verifyNewPasskey(platform, enrollee.userId, passkey);
  return change(platform, enrollee, async (tx, account, at) => {
    if ((await selectPasskeys(tx, enrollee.userId)).length >= MAX_PASSKEYS)
      throw new Unprocessable(`An account can have ${MAX_PASSKEYS} passkeys: remove one first`);
    const added = await storePasskey(tx, verified, name, at);
    await record(platform, tx, enrollee, 'passkey.added', { event: 'passkey_added', name }, { name });
    const codes = await enableSecondFactor(platform, tx, enrollee, account, at);
    return { ...presentPasskey(added), recovery_codes: codes };
  });
}

/** @throws NotFound; Unprocessable for the last one where the account must have one */
export function removePasskey(
  platform: ServerPlatform,
  enrollee: Enrollee,
  { params: { id } }: InputOf<'removePasskey'>,
): Promise<void> {
  return change(platform, enrollee, async (tx) => {
    const name = await deletePasskey(tx, enrollee.userId, id);
    if (name === undefined) throw new NotFound();
    await record(platform, tx, enrollee, 'passkey.removed', { event: 'passkey_removed', name }, { name });
    await disableAfterLastFactor(platform, tx, enrollee.userId);
  });
}

/**
 * Puts ten new codes in place of all others.
 *
 * @throws Unprocessable without a second factor that they stand in for; TooManyRequests
 */
export async function replaceRecoveryCodes(
  platform: ServerPlatform,
  enrollee: Enrollee,
): Promise<RecoveryCodes> {
  await platform.limits.consume(SECOND_FACTORS_ADDED, String(enrollee.userId));
  return change(platform, enrollee, async (tx, { secondFactorAt }, at) => {
    if (secondFactorAt === null)
      throw new Unprocessable('The account has no second factor: set one up first');
    const codes = await makeCodes(platform, tx, enrollee.userId, at);
    await record(platform, tx, enrollee, 'recovery_codes.replaced', { event: 'codes_made' });
    return { recovery_codes: codes };
  });
}

/** Runs a change while the account is locked. @throws Unauthorized */
function change<T>(
  { db, clock }: ServerPlatform,
  { userId, pendingSignIn }: Enrollee,
  work: (tx: Database, account: LockedAccount, at: Date) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const account = await lockFactors(tx, userId);
    // A pending sign-in, which proves the password alone, may add a first second factor and no further one.
    if (account === undefined || (pendingSignIn !== null && account.secondFactorAt !== null))
      throw new Unauthorized('The token is invalid or has expired');
    return work(tx, account, new Date(clock.now()));
  });
}

/** After a second factor was added. @returns recovery codes with the first one, else null */
async function enableSecondFactor(
  platform: ServerPlatform,
  tx: Database,
  { userId, actor, pendingSignIn }: Enrollee,
  { secondFactorAt }: LockedAccount,
  at: Date,
): Promise<string[] | null> {
  if (pendingSignIn !== null && !(await finishByEnrolment(tx, pendingSignIn, at)))
    throw new Unauthorized('The token is invalid or has expired');
  if (secondFactorAt !== null) return null;
  await setSecondFactorAt(tx, userId, at);
  // Otherwise a session that was opened by the password alone could remove the factor while its sign-in is fresh.
  await clearFreshSignIns(tx, userId, actor.tokenId);
  return makeCodes(platform, tx, userId, at);
}

/** Deletes the recovery codes with the last factor. @throws Unprocessable where an organization requires a factor */
async function disableAfterLastFactor(
  { clock }: ServerPlatform,
  tx: Database,
  userId: number,
): Promise<void> {
  const app = await selectApp(tx, userId);
  if (app?.confirmedAt || (await selectPasskeys(tx, userId)).length > 0) return;
  const [organization] = await organizationsRequiringFactor(tx, userId);
  if (organization !== undefined)
    throw new Unprocessable(
      `${organization} requires a second factor: add another one before you remove this`,
    );
  await storeRecoveryCodes(tx, userId, [], new Date(clock.now()));
  await setSecondFactorAt(tx, userId, null);
}

async function makeCodes(
  { config }: ServerPlatform,
  tx: Database,
  userId: number,
  at: Date,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  const [key] = recoveryKeys(config.secret);
  const hashes = codes.map((code) => recoveryCodeHash(key, userId, code));
  await storeRecoveryCodes(tx, userId, hashes, at);
  return codes;
}

async function record(
  { clock, mail: mails }: ServerPlatform,
  tx: Database,
  { userId, actor }: Enrollee,
  action: AuditEvent['action'],
  mail: SecondFactorMail,
  details: AuditEvent['details'] = {},
): Promise<void> {
  await recordAudit(tx, actor, new Date(clock.now()), { action, userId, details });
  await mails.enqueue(tx, { kind: 'second_factor', userId, ...mail });
}

function describeApp(secret: string, email: string): NewAuthenticatorApp {
  return { secret, uri: totpUri(secret, SERVICE_NAME, email) };
}

/** The session or pending sign-in of a caller. Another one of the account may be a thief's, and never shares a secret. */
function starterOf({ actor, pendingSignIn }: Enrollee): string {
  return pendingSignIn === null ? `session ${actor.tokenId}` : `sign-in ${pendingSignIn.toString('hex')}`;
}

function isBeingSetUp(app: AuthenticatorAppRecord, startedBy: string, at: Date): boolean {
  const ageMs = at.getTime() - app.createdAt.getTime();
  return app.confirmedAt === null && app.startedBy === startedBy && ageMs < SET_UP_LIFETIME_MS;
}

/** @throws ValidationError */
function readName(typed: string): string {
  const name = typed.trim();
  if (name === '') throw new ValidationError({ name: ["can't be blank"] });
  if (name.length > MAX_NAME_LENGTH)
    throw new ValidationError({ name: [`can't be longer than ${MAX_NAME_LENGTH} characters`] });
  return name;
}
