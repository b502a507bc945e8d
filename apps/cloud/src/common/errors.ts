import type { SecondFactorMethod } from '@heliograph/contracts';
import { AppError, NotFound, Unauthorized, Unprocessable } from '@heliograph/kit';

/** A valid request cannot be served now: 503 with Retry-After. */
export class Unavailable extends AppError {
  readonly retryAfterS: number;

  constructor(message: string, retryAfterS: number, cause?: unknown) {
    super(message, { code: 'unavailable', status: 503, expose: true, cause });
    this.retryAfterS = retryAfterS;
  }
}

/** The caller is identified, but the email address is not confirmed yet: 412. */
export class EmailUnconfirmed extends AppError {
  /** Signs in without the password as soon as the address is confirmed. */
  readonly pendingToken: string;

  constructor(pendingToken: string) {
    super('Confirm your email address first: click the link in the email we sent', {
      code: 'unconfirmed',
      status: 412,
    });
    this.pendingToken = pendingToken;
  }
}

/** The password was right; a second factor is required, or a first one must be set up: 412. */
export class SecondFactorRequired extends AppError {
  /** Signs in without the password once the second factor is verified. */
  readonly pendingToken: string;
  /** Empty while the account has no second factor. */
  readonly methods: readonly SecondFactorMethod[];
  /** The page where a person finishes the sign-in. */
  readonly url: string;

  constructor(pendingToken: string, methods: readonly SecondFactorMethod[], url: string) {
    const what =
      methods.length > 0
        ? 'Finish signing in with your second factor'
        : 'Your organization requires a second factor: set one up to finish signing in';
    super(`${what}: open ${url}`, { code: 'second_factor_required', status: 412 });
    this.pendingToken = pendingToken;
    this.methods = methods;
    this.url = url;
  }
}

/** The last sign-in of a session is too long ago for the operation: 403. */
export class FreshSignInRequired extends AppError {
  constructor() {
    super('Sign in again to do this', { code: 'sign_in_again', status: 403 });
  }
}

/** No account has the passkey, which an answer to a fresh challenge named: 401. */
export class UnknownPasskey extends Unauthorized {
  constructor() {
    super('This passkey is no longer known here');
  }
}

/** The page shows another account than the one that its browser is signed in to by now: 409. */
export class OtherAccountSignedIn extends AppError {
  constructor() {
    super('This browser is signed in to another account now: reload the page', {
      code: 'other_account',
      status: 409,
    });
  }
}

/** The request contradicts the current state: 409. */
export class Conflict extends AppError {
  constructor(message: string) {
    super(message, { code: 'conflict', status: 409 });
  }
}

/** Too many attempts: 429 with Retry-After. */
export class TooManyRequests extends AppError {
  readonly retryAfterS: number;

  constructor(retryAfterS: number) {
    super('Too many requests: try again later', { code: 'too_many_requests', status: 429 });
    this.retryAfterS = retryAfterS;
  }
}

/** No device has this uid, or another account's device has; callers do not learn which. */
export class UnknownDevice extends NotFound {
  constructor() {
    super('No device with this uid is known here, or it belongs to another account');
  }
}

/** Registering a device that was released takes a code, which proves that the caller has the device: 422. */
export class RegistrationCodeRequired extends Unprocessable {
  /** @param isCodeGiven whether the request had a code, which is not valid */
  constructor(isCodeGiven: boolean) {
    const reason = isCodeGiven
      ? 'The code is not valid or has expired'
      : 'The device is not activated: it was released, and a code registers it again';
    super(
      `${reason}. The page "Account" of the device shows one on its home network, and its former owner gets one by mail`,
    );
  }
}

/** @throws NotFound for undefined */
export function orNotFound<T>(record: T | undefined): T {
  if (record === undefined) throw new NotFound();
  return record;
}
