import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from '../storage/key-value.ts';

/** How long a browser stays signed in, in seconds. */
export const PAGE_SESSION_S = 30 * 24 * 60 * 60;

/** A home has fewer browsers; beyond it the one that signed in first is signed out. */
const MAX_SESSIONS = 100;

const KEY = 'page_sessions';
const TOKEN_BYTES = 32;

/** A browser that signed in. */
interface PageSession {
  /** SHA-256 of its token: a copy of the store does not open a session. */
  readonly digest: string;
  /** Which password it was, see {@link PasswordVersion}. */
  readonly passwordVersion: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const STORED = Compile(
  Type.Array(
    Type.Object({ digest: Type.String(), passwordVersion: Type.String(), expiresAt: Type.Number() }),
  ),
);

/** The part of the device's password that sessions hang on. */
export interface PasswordVersion {
  /** Another one whenever the password is set. */
  readonly version: string;
}

/** The browsers that signed in with the device password. */
export class PageSessions {
  readonly #store: KeyValueStore;
  readonly #password: PasswordVersion;
  readonly #clock: Clock;
  readonly #byDigest: Map<string, PageSession>;

  constructor(store: KeyValueStore, password: PasswordVersion, clock: Clock) {
    this.#store = store;
    this.#password = password;
    this.#clock = clock;
    const living: readonly PageSession[] = store.json(KEY, STORED, []);
    this.#byDigest = new Map(living.map((session) => [session.digest, session]));
  }

  /**
   * Signs a browser in.
   *
   * @param passwordVersion as it was before the password was checked: one that changed meanwhile opens nothing
   * @returns the session's token, which is stored nowhere
   */
  begin(passwordVersion: string): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const digest = digestOf(token);
    const expiresAt = this.#clock.now() + PAGE_SESSION_S * 1000;
    this.#byDigest.set(digest, { digest, passwordVersion, expiresAt });
    this.#save();
    return token;
  }

  isGood(token: string): boolean {
    const session = this.#byDigest.get(digestOf(token));
    return session !== undefined && this.#isAlive(session);
  }

  end(token: string): void {
    if (this.#byDigest.delete(digestOf(token))) this.#save();
  }

  #isAlive({ passwordVersion, expiresAt }: PageSession): boolean {
    return passwordVersion === this.#password.version && expiresAt > this.#clock.now();
  }

  #save(): void {
    const living = [...this.#byDigest.values()]
      .filter((session) => this.#isAlive(session))
      .slice(-MAX_SESSIONS);
    this.#byDigest.clear();
    for (const session of living) this.#byDigest.set(session.digest, session);
    this.#store.set(KEY, JSON.stringify(living));
  }
}

/** Without salt and slowness: 32 random bytes cannot be guessed. */
function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
