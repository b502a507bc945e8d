import type { DeviceState, DeviceSummary } from '@heliograph/contracts';
import type { CloudConnection } from './connection.ts';
import type { Page } from './queries.ts';

export interface DevicesQuery extends Page {
  /** A prefix of the uid. */
  readonly q?: string;
  readonly state?: DeviceState;
}

export interface ProvisionInput {
  /** As printed on the device, or shown on its page. */
  readonly uid: string;
  /** The organization that it is to belong to; left out, none. */
  readonly organizationId?: number;
  /** Activates it too. */
  readonly activate?: boolean;
}

/** Devices with and without sites, for operators of the service and employees of organizations. */
export class Devices {
  readonly #cloud: CloudConnection;

  constructor(cloud: CloudConnection) {
    this.#cloud = cloud;
  }

  /** By uid. */
  async list({ q, state, limit, offset }: DevicesQuery = {}): Promise<DeviceSummary[]> {
    const query = { q, state, limit, offset };
    return (await this.#cloud.json({ path: '/api/v1/devices', query })) as DeviceSummary[];
  }

  async get(uid: string): Promise<DeviceSummary> {
    return (await this.#cloud.json({ path: pathOf(uid) })) as DeviceSummary;
  }

  /** Makes a device known before its first call, for operators of the service. */
  async provision({ uid, organizationId, activate }: ProvisionInput): Promise<DeviceSummary> {
    const body = { uid, organization_id: organizationId, activate };
    return (await this.#cloud.json({ method: 'POST', path: '/api/v1/devices', body })) as DeviceSummary;
  }

  /**
   * Activates a device, which accepts all pending requests for it.
   *
   * @param organizationId the one that it is to belong to; left out, that of the caller
   */
  async activate(uid: string, organizationId?: number): Promise<DeviceSummary> {
    return await this.#change(uid, 'activate', { organization_id: organizationId });
  }

  /** Trusts a device no more: it is refused, and offline at once. */
  async revoke(uid: string): Promise<DeviceSummary> {
    return await this.#change(uid, 'revoke');
  }

  /** Trusts a revoked device again. */
  async restore(uid: string): Promise<DeviceSummary> {
    return await this.#change(uid, 'restore');
  }

  async #change(uid: string, verb: string, body?: object): Promise<DeviceSummary> {
    const call = { method: 'POST', path: `${pathOf(uid)}/${verb}`, body } as const;
    return (await this.#cloud.json(call)) as DeviceSummary;
  }
}

function pathOf(uid: string): string {
  return `/api/v1/devices/${encodeURIComponent(uid)}`;
}
