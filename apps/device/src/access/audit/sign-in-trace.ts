import type { DeviceAuditAction } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { ATTEMPT_WINDOW_MS } from '../attempt-limiter.ts';
import type { PasswordWatch } from '../device-password.ts';
import type { Audit } from './audit.ts';

/** How many addresses are remembered; beyond it the one that was recorded first is forgotten. */
const REMEMBERED = 1_000;

/** Records wrong passwords and lockouts: one entry of each an address and window, however many there are. */
export class SignInTrace implements PasswordWatch {
  readonly #audit: Audit;
  readonly #clock: Clock;
  /** When each was recorded, by action and address. */
  readonly #recorded = new Map<string, number>();

  constructor(audit: Audit, clock: Clock) {
    this.#audit = audit;
    this.#clock = clock;
  }

  wrong(address: string): void {
    this.#record('sign_in.fail', address);
  }

  lockedOut(address: string | null): void {
    this.#record('sign_in.lockout', address);
  }

  #record(action: DeviceAuditAction, address: string | null): void {
    const key = `${action} ${address}`;
    const now = this.#clock.monotonic();
    const last = this.#recorded.get(key);
    if (last !== undefined && now - last < ATTEMPT_WINDOW_MS) return;
    this.#recorded.delete(key);
    this.#recorded.set(key, now);
    const [oldest] = this.#recorded.keys();
    if (this.#recorded.size > REMEMBERED && oldest !== undefined) this.#recorded.delete(oldest);
    this.#audit.record(action, { name: 'unknown', via: 'lan', address });
  }
}
