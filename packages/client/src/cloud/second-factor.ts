import type {
  ConfirmedSession,
  ConfirmSessionBody,
  NewAuthenticatorApp,
  PasskeyAdded,
  PasskeyCreationOptions,
  PasskeyRegistration,
  RecoveryCodes,
  SecondFactor,
  SecondFactorAdded,
  SecondFactorAnswer,
  SessionConfirmation,
} from '@heliograph/contracts';
import { ApiError } from '../http/errors.ts';
import type { CloudConnection } from './connection.ts';

/**
 * The account's passkeys, authenticator app and recovery codes. They open to a session only, and what changes them to a
 * session whose person has just proved who they are; or to the pending token of a sign-in that waits for a first one.
 */
export class SecondFactors {
  readonly #cloud: CloudConnection;

  constructor(cloud: CloudConnection) {
    this.#cloud = cloud;
  }

  async get(): Promise<SecondFactor> {
    return (await this.#cloud.json({ path: '/api/v1/user/second_factor' })) as SecondFactor;
  }

  /** Makes the secret of an authenticator app, which counts once {@link confirmApp} was sent a code of it. */
  async startApp(): Promise<NewAuthenticatorApp> {
    return (await this.#post('/api/v1/user/second_factor/totp')) as NewAuthenticatorApp;
  }

  async confirmApp(otp: string): Promise<SecondFactorAdded> {
    const path = '/api/v1/user/second_factor/totp';
    return (await this.#cloud.json({ method: 'PUT', path, body: { otp } })) as SecondFactorAdded;
  }

  async removeApp(): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: '/api/v1/user/second_factor/totp' });
  }

  /** Options of `navigator.credentials.create`, as JSON. */
  async startPasskey(): Promise<PasskeyCreationOptions> {
    return (await this.#post('/api/v1/user/passkeys/options')) as PasskeyCreationOptions;
  }

  /** @param passkey what `navigator.credentials.create` answered, as JSON */
  async addPasskey(name: string, passkey: PasskeyRegistration): Promise<PasskeyAdded> {
    return (await this.#post('/api/v1/user/passkeys', { name, passkey })) as PasskeyAdded;
  }

  async removePasskey(id: number): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: `/api/v1/user/passkeys/${id}` });
  }

  /** Makes ten recovery codes in place of all others. They are in this answer and never in another. */
  async replaceRecoveryCodes(): Promise<RecoveryCodes> {
    return (await this.#post('/api/v1/user/recovery_codes')) as RecoveryCodes;
  }

  /** How the person of the session can prove again who they are. */
  async confirmationOptions(): Promise<SessionConfirmation> {
    return (await this.#post('/api/v1/session/confirm/options')) as SessionConfirmation;
  }

  /** Proves it, after which the session may for 15 minutes do what asks for a fresh sign-in. */
  async confirmSession(proof: ConfirmSessionBody): Promise<ConfirmedSession> {
    return (await this.#post('/api/v1/session/confirm', proof)) as ConfirmedSession;
  }

  #post(path: string, body?: object): Promise<unknown> {
    return this.#cloud.json({ method: 'POST', path, ...(body && { body: { ...body } }) });
  }
}

/**
 * The answer to a sign-in with the right password that waits for a second factor; undefined for every other
 * failure. Its `pending_token` signs in once the factor was shown: with `otp`, or on the page at `second_factor_url`.
 */
export function secondFactorRequired(error: unknown): SecondFactorAnswer | undefined {
  if (!(error instanceof ApiError) || error.status !== 412) return undefined;
  const { body } = error;
  return body.next_step === 'second_factor' ? (body as unknown as SecondFactorAnswer) : undefined;
}

/** Whether something was refused because the person of the session has not proved for 15 minutes who they are. */
export function requiresFreshSignIn(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.body.next_step === 'sign_in';
}
