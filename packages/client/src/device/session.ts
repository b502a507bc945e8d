import type { DeviceSession } from '@heliograph/contracts';
import type { CallOptions } from '../http/call-options.ts';
import type { DeviceConnection } from './connection.ts';

/** How long a device may take to check a password, in milliseconds: that is slow on purpose, on a small computer. */
const PASSWORD_TIMEOUT_MS = 30_000;

/** The session of a browser on a device's own pages: on its network it signs in with the device password. */
export class PageSession {
  readonly #device: DeviceConnection;

  constructor(device: DeviceConnection) {
    this.#device = device;
  }

  /** Whether the browser may read and write, and whether the device has a password yet. */
  async get({ signal }: CallOptions = {}): Promise<DeviceSession> {
    return (await this.#device.json({ path: '/api/v1/session', signal })) as DeviceSession;
  }

  /**
   * Signs the browser in for 30 days.
   *
   * @throws ApiError with status 401 when the password is wrong, 429 after too many guesses, 403 when the page was
   *   opened under a name that is not the device's own
   */
  async signIn(password: string): Promise<void> {
    await this.#send('POST', '/api/v1/session', { password });
  }

  async signOut(): Promise<void> {
    await this.#device.text({ method: 'DELETE', path: '/api/v1/session' });
  }

  /**
   * Gives a device that has none its password, and signs the browser in.
   *
   * @throws ApiError with status 422 when it is too short or too long, 403 when the device has one already or the
   *   browser is not on its network, 409 when another browser was first
   */
  async setFirstPassword(password: string): Promise<void> {
    await this.#send('POST', '/api/v1/password', { password });
  }

  /**
   * Changes the device password. It signs every other browser out.
   *
   * @throws ApiError with status 422 and the field `current` when that is wrong, or `password` when it cannot be one
   */
  async changePassword(current: string, password: string): Promise<void> {
    await this.#send('PUT', '/api/v1/password', { current, password });
  }

  async #send(method: 'POST' | 'PUT', path: string, body: object): Promise<void> {
    await this.#device.text({ method, path, body, timeoutMs: PASSWORD_TIMEOUT_MS });
  }
}
