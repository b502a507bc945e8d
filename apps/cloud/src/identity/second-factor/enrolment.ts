import type {
  AddPasskeyBody,
  NewAuthenticatorApp,
  PasskeyAdded,
  PasskeyCreationOptions,
  RecoveryCodes,
  SecondFactor,
  SecondFactorAdded,
  StartAuthenticatorAppBody,
} from '@heliograph/contracts';
import { type Clock, NotFound, Unauthorized, Unprocessable, ValidationError } from '@heliograph/kit';
import { personName } from '@heliograph/kit/person-name';
import type { Enrollee } from '../../access/caller.ts';
import { SERVICE_NAME } from '../../common/config/env.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { type AuditEvent, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { MailService, SecondFactorMail } from '../../delivery/mail/service.ts';
import type { AuthenticatorAppRecord, FactorRepository } from './factor-repository.ts';
import type { FactorSecrets } from './factor-secrets.ts';
import { SECOND_FACTORS_ADDED, SECOND_FACTORS_PER_ACCOUNT } from './limits.ts';
import type { PasskeyRepository } from './passkey-repository.ts';
import type { Passkeys } from './passkeys.ts';
import { presentApp, presentPasskey } from './present.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import type { RelyingParty } from './relying-party.ts';
import { newTotpSecret, totpStepOf, totpUri } from './totp.ts';

/** How long an unconfirmed secret is answered again. */
const SET_UP_LIFETIME_MS = 15 * 60 * 1000;

const MAX_PASSKEYS = 20;
const MAX_NAME_LENGTH = 100;

export interface EnrolmentOptions {
  readonly db: Database;
  readonly factors: FactorRepository;
  readonly passkeyRecords: PasskeyRepository;
  readonly passkeys: Passkeys;
  readonly secrets: FactorSecrets;
  readonly mail: MailService;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

type LockedAccount = NonNullable<Awaited<ReturnType<FactorRepository['lockAccount']>>>;

/** Adds and removes second factors. Every change is recorded, and mailed to the account. */
export class Enrolment {
  readonly #options: EnrolmentOptions;

  constructor(options: EnrolmentOptions) {
    this.#options = options;
  }

  async describe(userId: number): Promise<SecondFactor> {
    const { factors, passkeyRecords, passkeys: ceremonies } = this.#options;
    const [app, passkeys, left, requiredBy] = await Promise.all([
      factors.app(userId),
      passkeyRecords.list(userId),
      factors.recoveryCodesLeft(userId),
      factors.requiredBy(userId),
    ]);
    return {
      passkeys: passkeys.map(presentPasskey),
      user_handle: ceremonies.userHandle(userId).toString('base64url'),
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
  startApp(enrollee: Enrollee, { renew = false }: StartAuthenticatorAppBody): Promise<NewAuthenticatorApp> {
    const { factors, secrets } = this.#options;
    return this.#change(enrollee, async (tx, { email }, at) => {
      const startedBy = starterOf(enrollee);
      const app = await factors.app(enrollee.userId, tx);
      if (!renew && app !== undefined && isBeingSetUp(app, startedBy, at))
        return describeApp(secrets.openTotp(app.sealed), email);
      const secret = newTotpSecret();
      const sealed = secrets.sealTotp(secret);
      if (!(await factors.setUnconfirmedApp(tx, enrollee.userId, { sealed, startedBy }, at)))
        throw new Unprocessable('The account has an authenticator app: remove it first');
      return describeApp(secret, email);
    });
  }

  /** @throws ValidationError for a wrong code; Unprocessable; Unauthorized; TooManyRequests */
  async confirmApp(enrollee: Enrollee, otp: string): Promise<SecondFactorAdded> {
    const { factors, secrets, limits } = this.#options;
    await limits.consume(SECOND_FACTORS_ADDED, String(enrollee.userId));
    await limits.consume(SECOND_FACTORS_PER_ACCOUNT, String(enrollee.userId));
    return this.#change(enrollee, async (tx, account, at) => {
      const app = await factors.app(enrollee.userId, tx);
      if (app === undefined || app.confirmedAt !== null)
        throw new Unprocessable('No authenticator app is being set up: start again');
      const step = await totpStepOf(secrets.openTotp(app.sealed), otp, at.getTime());
      if (step === undefined) throw new ValidationError({ otp: ['is wrong'] });
      await factors.confirmApp(tx, enrollee.userId, step, at);
      await limits.reward(SECOND_FACTORS_PER_ACCOUNT, String(enrollee.userId));
      await this.#record(tx, enrollee, 'authenticator_app.added', { event: 'app_added' });
      return { recovery_codes: await this.#enableSecondFactor(tx, enrollee, account, at) };
    });
  }

  /** @throws NotFound; Unprocessable for the last one where the account must have one */
  removeApp(enrollee: Enrollee): Promise<void> {
    return this.#change(enrollee, async (tx) => {
      if (!(await this.#options.factors.removeApp(tx, enrollee.userId))) throw new NotFound();
      await this.#record(tx, enrollee, 'authenticator_app.removed', { event: 'app_removed' });
      await this.#disableAfterLastFactor(tx, enrollee.userId);
    });
  }

  async startPasskey({ userId }: Enrollee, party: RelyingParty): Promise<PasskeyCreationOptions> {
    const account = await this.#options.factors.account(userId);
    if (account === undefined) throw new Unauthorized('The account no longer exists');
    const { email, firstName, lastName, locale } = account;
    const name = personName({ email, first_name: firstName, last_name: lastName }, locale);
    return this.#options.passkeys.registrationOptions({ id: userId, email, name }, party);
  }

  /** @throws ValidationError; Unprocessable; Unauthorized; TooManyRequests */
  async addPasskey(enrollee: Enrollee, { name: typed, passkey }: AddPasskeyBody): Promise<PasskeyAdded> {
    const { limits, passkeyRecords, passkeys } = this.#options;
    const name = readName(typed);
    await limits.consume(SECOND_FACTORS_ADDED, String(enrollee.userId));
    return this.#change(enrollee, async (tx, account, at) => {
      if ((await passkeyRecords.list(enrollee.userId, tx)).length >= MAX_PASSKEYS)
        throw new Unprocessable(`An account can have ${MAX_PASSKEYS} passkeys: remove one first`);
      const added = await passkeys.register(tx, enrollee.userId, name, passkey);
      await this.#record(tx, enrollee, 'passkey.added', { event: 'passkey_added', name }, { name });
      const codes = await this.#enableSecondFactor(tx, enrollee, account, at);
      return { ...presentPasskey(added), recovery_codes: codes };
    });
  }

  /** @throws NotFound; Unprocessable for the last one where the account must have one */
  removePasskey(enrollee: Enrollee, id: number): Promise<void> {
    return this.#change(enrollee, async (tx) => {
      const name = await this.#options.passkeyRecords.remove(tx, enrollee.userId, id);
      if (name === undefined) throw new NotFound();
      await this.#record(tx, enrollee, 'passkey.removed', { event: 'passkey_removed', name }, { name });
      await this.#disableAfterLastFactor(tx, enrollee.userId);
    });
  }

  /**
   * Puts ten new codes in place of all others.
   *
   * @throws Unprocessable without a second factor that they stand in for; TooManyRequests
   */
  async replaceRecoveryCodes(enrollee: Enrollee): Promise<RecoveryCodes> {
    await this.#options.limits.consume(SECOND_FACTORS_ADDED, String(enrollee.userId));
    return this.#change(enrollee, async (tx, { secondFactorAt }, at) => {
      if (secondFactorAt === null)
        throw new Unprocessable('The account has no second factor: set one up first');
      const codes = await this.#makeCodes(tx, enrollee.userId, at);
      await this.#record(tx, enrollee, 'recovery_codes.replaced', { event: 'codes_made' });
      return { recovery_codes: codes };
    });
  }

  /** Runs a change while the account is locked. @throws Unauthorized */
  #change<T>(
    { userId, pendingSignIn }: Enrollee,
    work: (tx: Database, account: LockedAccount, at: Date) => Promise<T>,
  ): Promise<T> {
    const { db, factors, clock } = this.#options;
    return db.transaction().execute(async (tx) => {
      const account = await factors.lockAccount(tx, userId);
      // A pending sign-in, which proves the password alone, may add a first second factor and no further one.
      if (account === undefined || (pendingSignIn !== null && account.secondFactorAt !== null))
        throw new Unauthorized('The token is invalid or has expired');
      return work(tx, account, new Date(clock.now()));
    });
  }

  /** After a second factor was added. @returns recovery codes with the first one, else null */
  async #enableSecondFactor(
    tx: Database,
    { userId, actor, pendingSignIn }: Enrollee,
    { secondFactorAt }: LockedAccount,
    at: Date,
  ): Promise<string[] | null> {
    const { factors } = this.#options;
    if (pendingSignIn !== null && !(await factors.finishPendingSignIn(tx, pendingSignIn, 'enrolment', at)))
      throw new Unauthorized('The token is invalid or has expired');
    if (secondFactorAt !== null) return null;
    await factors.setSecondFactorAt(tx, userId, at);
    // Otherwise a session that was opened by the password alone could remove the factor while its sign-in is fresh.
    await factors.clearFreshSignIns(tx, userId, actor.tokenId);
    return this.#makeCodes(tx, userId, at);
  }

  /** Deletes the recovery codes with the last factor. @throws Unprocessable where an organization requires a factor */
  async #disableAfterLastFactor(tx: Database, userId: number): Promise<void> {
    const { factors, passkeyRecords } = this.#options;
    const app = await factors.app(userId, tx);
    if (app?.confirmedAt || (await passkeyRecords.list(userId, tx)).length > 0) return;
    const [organization] = await factors.requiredBy(userId, tx);
    if (organization !== undefined)
      throw new Unprocessable(
        `${organization} requires a second factor: add another one before you remove this`,
      );
    await factors.replaceRecoveryCodes(tx, userId, [], new Date(this.#options.clock.now()));
    await factors.setSecondFactorAt(tx, userId, null);
  }

  async #makeCodes(tx: Database, userId: number, at: Date): Promise<string[]> {
    const { factors, secrets } = this.#options;
    const codes = newRecoveryCodes();
    const hashes = codes.map((code) => secrets.recoveryCodeHash(userId, code));
    await factors.replaceRecoveryCodes(tx, userId, hashes, at);
    return codes;
  }

  async #record(
    tx: Database,
    { userId, actor }: Enrollee,
    action: AuditEvent['action'],
    mail: SecondFactorMail,
    details: AuditEvent['details'] = {},
  ): Promise<void> {
    await recordAudit(tx, actor, new Date(this.#options.clock.now()), { action, userId, details });
    await this.#options.mail.enqueue(tx, { kind: 'second_factor', userId, ...mail });
  }
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
