import type { DeviceSession } from '@heliograph/contracts';
import type { CallOptions } from '../http/call-options.ts';
import type { DeviceConnection } from './connection.ts';

/** The session of a browser on a device's own pages: on its network it signs in with the device password. */
export interface PageSession {
  /** Whether the browser may read and write, and whether the device has a password yet. */
  get(options?: CallOptions): Promise<DeviceSession>;
  /**
   * Signs the browser in for 30 days.
   *
   * @throws ApiError with status 401 when the password is wrong, 429 after too many guesses, 403 when the page was
   *   opened under a name that is not the device's own
   */
  signIn(password: string): Promise<void>;
  signOut(): Promise<void>;
  /**
   * Gives a device that has none its password, and signs the browser in.
   *
   * @throws ApiError with status 422 when it is too short or too long, 403 when the device has one already or the
   *   browser is not on its network, 409 when another browser was first
   */
  setFirstPassword(password: string): Promise<void>;
  /**
   * Changes the device password. It signs every other browser out.
   *
   * @throws ApiError with status 422 and the field `current` when that is wrong, or `password` when it cannot be one
   */
  changePassword(current: string, password: string): Promise<void>;
}

/** How long a device may take to check a password, in milliseconds: that is slow on purpose, on a small computer. */
const PASSWORD_TIMEOUT_MS = 30_000;

const SLOW = { timeoutMs: PASSWORD_TIMEOUT_MS };

/** @internal */
export const sessionOf = (device: DeviceConnection): PageSession => ({
  get: (options) => device.json('GET /api/v1/session', options),
  async signIn(password) {
    await device.text('POST /api/v1/session', SLOW, { password });
  },
  async signOut() {
    await device.text('DELETE /api/v1/session');
  },
  async setFirstPassword(password) {
    await device.text('POST /api/v1/password', SLOW, { password });
  },
  async changePassword(current, password) {
    await device.text('PUT /api/v1/password', SLOW, { current, password });
  },
});
