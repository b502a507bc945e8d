import type {
  Locale,
  PendingSignIn,
  RegisterAnswer,
  Session,
  ShowSecondFactorBody,
} from '@heliograph/contracts';
import { CloudConnection } from './connection.ts';

/** An organization's id for a session restricted to it; left out, a session of none. */
interface InOrganization {
  readonly organizationId?: number | 'none';
}

interface WithSecondFactor {
  /** A code of the authenticator app, or a recovery code, of an account that has a second factor. */
  readonly otp?: string;
}

export type Credentials =
  | ({ readonly email: string; readonly password: string } & WithSecondFactor & InOrganization)
  | ({
      readonly email: string;
      /** From the answer to a sign-in that waits: in place of the password once what it waits for has come. */
      readonly pendingToken: string;
    } & WithSecondFactor &
      InOrganization)
  | {
      /** From another page's session: opens one like it. */
      readonly sessionToken: string;
    };

export interface Registration {
  readonly email: string;
  readonly password: string;
  /** Posted by the page `/register/verify` when the bot check is passed; valid once, for a few minutes. */
  readonly verificationToken: string;
  /** The organization whose customer the account becomes. */
  readonly organizationId: number;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phoneNumber?: string;
  /** Language of pages and mails. */
  readonly locale?: Locale;
  readonly acceptedTerms?: boolean;
}

export interface PasswordResetRequest extends InOrganization {
  readonly email: string;
  /** As for a {@link Registration}. */
  readonly verificationToken: string;
}

export interface NewPassword extends InOrganization {
  /** From the link in the mail. */
  readonly token: string;
  readonly password: string;
}

export interface FirstPassword extends NewPassword {
  readonly acceptedTerms?: boolean;
}

/**
 * The operations of a cloud that need no token. A session's token makes a CloudClient.
 *
 * Every method throws ApiError when the cloud refuses, ConnectionError when it cannot be reached.
 */
export class CloudAccounts {
  readonly #cloud: CloudConnection;

  /** @param url base URL of the cloud, such as `https://cloud.example.com` */
  constructor(url: string) {
    this.#cloud = new CloudConnection(url);
  }

  /**
   * Opens a session of 30 days.
   *
   * @throws ApiError with status 412 while the email is unconfirmed; its body has the `pending_token`, with which
   * a caller asks again every few seconds, for 10 minutes at most; likewise, {@link secondFactorRequired}, while a
   * second factor has to be shown
   */
  async signIn(credentials: Credentials): Promise<Session> {
    return (await this.#post('/api/v1/sign_in', signInBody(credentials))) as Session;
  }

  /** The state of a sign-in that got a pending token, and the options of `navigator.credentials.get`. */
  async pendingSignIn(pendingToken: string): Promise<PendingSignIn> {
    const body = { pending_token: pendingToken };
    return (await this.#post('/api/v1/sign_in/second_factor/options', body)) as PendingSignIn;
  }

  /** Shows its second factor: then the pending token signs in, here or wherever it is shown. */
  async showSecondFactor(
    pendingToken: string,
    shown: Pick<ShowSecondFactorBody, 'otp' | 'passkey'>,
  ): Promise<void> {
    const body = { pending_token: pendingToken, ...shown };
    await this.#cloud.done({ method: 'POST', path: '/api/v1/sign_in/second_factor', body });
  }

  /** Makes an account that waits for its email to be confirmed; the answer's `pending_token` signs in then. */
  async register(registration: Registration): Promise<RegisterAnswer> {
    const { email, password } = registration;
    return (await this.#post('/api/v1/register', {
      email,
      password,
      verification_token: registration.verificationToken,
      organization_id: registration.organizationId,
      first_name: registration.firstName,
      last_name: registration.lastName,
      phone_number: registration.phoneNumber,
      locale: registration.locale,
      accepted_terms: registration.acceptedTerms,
    })) as RegisterAnswer;
  }

  /** Confirms an email address with the token of the confirmation mail's link. */
  async confirm(token: string, { organizationId = 'none' }: InOrganization = {}): Promise<Session> {
    return (await this.#post('/api/v1/user/confirm', { token, organization_id: organizationId })) as Session;
  }

  /** Mails a link for a new password; ends the same way whether or not there is such an account. */
  async requestPasswordReset(request: PasswordResetRequest): Promise<void> {
    const { email, verificationToken, organizationId } = request;
    await this.#post('/api/v1/password/reset', {
      email,
      verification_token: verificationToken,
      organization_id: organizationId,
    });
  }

  /** Sets another password with the link of a reset mail, which ends every session of the account. */
  async resetPassword({ token, password, organizationId = 'none' }: NewPassword): Promise<Session> {
    return (await this.#cloud.json({
      method: 'PUT',
      path: `/api/v1/password/reset/${encodeURIComponent(token)}`,
      body: { password, organization_id: organizationId },
    })) as Session;
  }

  /** Sets the first password of an invited account, with the token of the invitation's link. */
  async setPassword(first: FirstPassword): Promise<Session> {
    const { token, password, organizationId = 'none', acceptedTerms } = first;
    return (await this.#cloud.json({
      method: 'PUT',
      path: `/api/v1/password/set/${encodeURIComponent(token)}`,
      body: { password, organization_id: organizationId, accepted_terms: acceptedTerms },
    })) as Session;
  }

  #post(path: string, body: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.#cloud.json({ method: 'POST', path, body });
  }
}

function signInBody(credentials: Credentials): Readonly<Record<string, unknown>> {
  if ('sessionToken' in credentials) return { session_token: credentials.sessionToken };
  const { email, organizationId = 'none', otp } = credentials;
  const secret =
    'password' in credentials
      ? { password: credentials.password }
      : { pending_token: credentials.pendingToken };
  return { email, organization_id: organizationId, ...secret, otp };
}
