/**
 * The base of every error with a meaning for a caller.
 *
 * `status` is the HTTP status it would become, `expose` whether the message may leave the house. Domain
 * code throws subclasses or `problem(...)`; one place per app turns them into responses.
 */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly expose: boolean;

  constructor(message: string, options: { code: string; status: number; expose?: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.status = options.status;
    this.expose = options.expose ?? options.status < 500;
  }
}

export class BadRequest extends AppError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'bad_request', status: 400, cause });
  }
}

export class Unauthorized extends AppError {
  constructor(message = 'Unauthorized', cause?: unknown) {
    super(message, { code: 'unauthorized', status: 401, cause });
  }
}

export class Forbidden extends AppError {
  constructor(message = 'Forbidden', cause?: unknown) {
    super(message, { code: 'forbidden', status: 403, cause });
  }
}

export class NotFound extends AppError {
  constructor(message = 'Not found', cause?: unknown) {
    super(message, { code: 'not_found', status: 404, cause });
  }
}

/** A body in a charset or an encoding that is not read: 415. */
export class UnsupportedMediaType extends AppError {
  constructor(message: string) {
    super(message, { code: 'unsupported_media_type', status: 415 });
  }
}

/** Understood, but refused: 422 with one message. */
export class Unprocessable extends AppError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'unprocessable', status: 422, cause });
  }
}

/** Understood, but refused for its fields: 422 with messages per field. */
export class ValidationError extends AppError {
  readonly errors: Readonly<Record<string, readonly string[]>>;

  constructor(errors: Readonly<Record<string, readonly string[]>>) {
    super('Validation failed', { code: 'validation', status: 422 });
    this.errors = errors;
  }
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(ADVICE, '') : String(error);
}

/** Node appends it to errors about certificates, for those who start programs. */
const ADVICE = /; if the root CA is installed locally, try running Node\.js with --use-system-ca$/;

/** Why something failed, in one line. `fetch` hides the system's error in the cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${messageOf(error)}: ${reasonOf(cause)}` : messageOf(error);
}
