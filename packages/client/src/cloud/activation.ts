import type { ActivationCode, ActivationRequest, NewActivationCode } from '@heliograph/contracts';
import type { CloudConnection } from './connection.ts';
import type { Page } from './queries.ts';

/** Pending requests to activate devices. {@link Devices.activate} accepts one. */
export class ActivationRequests {
  readonly #cloud: CloudConnection;

  constructor(cloud: CloudConnection) {
    this.#cloud = cloud;
  }

  /** The longest wait first. */
  async list({ limit, offset }: Page = {}): Promise<ActivationRequest[]> {
    const query = { limit, offset };
    return (await this.#cloud.json({ path: '/api/v1/activation_requests', query })) as ActivationRequest[];
  }

  /** Rejects the request. The device may be requested again. */
  async decline(uid: string): Promise<void> {
    const path = `/api/v1/activation_requests/${encodeURIComponent(uid)}`;
    await this.#cloud.done({ method: 'DELETE', path });
  }
}

export interface ActivationCodeTerms {
  /** How many devices it activates; left out, one. */
  readonly uses?: number;
  /** Left out, it is good for ever. */
  readonly expiresAt?: Date;
}

/** Codes that activate devices without a decision. */
export class ActivationCodes {
  readonly #cloud: CloudConnection;
  readonly #path: string;

  /** @param organizationId left out for those of the service, whose devices belong to no organization */
  constructor(cloud: CloudConnection, organizationId?: number) {
    this.#cloud = cloud;
    const owner = organizationId === undefined ? '' : `/organizations/${organizationId}`;
    this.#path = `/api/v1${owner}/activation_codes`;
  }

  /** The newest first, used up and expired ones too. */
  async list({ limit, offset }: Page = {}): Promise<ActivationCode[]> {
    return (await this.#cloud.json({ path: this.#path, query: { limit, offset } })) as ActivationCode[];
  }

  /** Makes a code. It is in this answer and never in another. */
  async create({ uses, expiresAt }: ActivationCodeTerms = {}): Promise<NewActivationCode> {
    const body = { uses, expires_at: expiresAt?.toISOString() };
    return (await this.#cloud.json({ method: 'POST', path: this.#path, body })) as NewActivationCode;
  }

  /** Withdraws a code; what it has activated stays so. */
  async revoke(id: number): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: `${this.#path}/${id}` });
  }
}
