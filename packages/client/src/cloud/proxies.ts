import type { ProxySummary } from '@heliograph/contracts';
import type { CloudConnection } from './connection.ts';

/** The proxies of the service, for its operators. */
export class Proxies {
  readonly #cloud: CloudConnection;

  constructor(cloud: CloudConnection) {
    this.#cloud = cloud;
  }

  /** By name. */
  async list(): Promise<ProxySummary[]> {
    return (await this.#cloud.json({ path: '/api/v1/proxies' })) as ProxySummary[];
  }

  /** Has a proxy emptied: its devices move to others, and none is sent to it, until {@link undrain}. */
  async drain(name: string): Promise<ProxySummary> {
    return (await this.#cloud.json({ method: 'POST', path: `${pathOf(name)}/drain` })) as ProxySummary;
  }

  /** Lets a proxy have devices again. */
  async undrain(name: string): Promise<ProxySummary> {
    return (await this.#cloud.json({ method: 'POST', path: `${pathOf(name)}/undrain` })) as ProxySummary;
  }

  /** Forgets a proxy that is gone for good. @throws ApiError with status 422 while it still announces itself */
  async forget(name: string): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: pathOf(name) });
  }
}

function pathOf(name: string): string {
  return `/api/v1/proxies/${encodeURIComponent(name)}`;
}
