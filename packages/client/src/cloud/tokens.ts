import type { ApiToken, CreatedApiToken, Scope, SessionSummary } from '@heliograph/contracts';
import type { CloudConnection } from './connection.ts';

export interface NewApiToken {
  /** A name that the owner recognizes the token by. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Restricts the token to an organization; in a session of one it is that one anyway. */
  readonly organizationId?: number;
  /** Left out, it is good until it is revoked. */
  readonly expiresAt?: Date;
}

/** The account's API tokens and sessions. They open to a session only, never to an API token. */
export class Tokens {
  readonly #cloud: CloudConnection;

  constructor(cloud: CloudConnection) {
    this.#cloud = cloud;
  }

  async list(): Promise<ApiToken[]> {
    return (await this.#cloud.json({ path: '/api/v1/user/tokens' })) as ApiToken[];
  }

  /** Makes a token. Its `token` is in this answer and never in another. */
  async create({ name, scopes, organizationId, expiresAt }: NewApiToken): Promise<CreatedApiToken> {
    const body = { name, scopes, organization_id: organizationId, expires_at: expiresAt?.toISOString() };
    return (await this.#cloud.json({
      method: 'POST',
      path: '/api/v1/user/tokens',
      body,
    })) as CreatedApiToken;
  }

  async revoke(id: number): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: `/api/v1/user/tokens/${id}` });
  }

  /** The account's sessions. */
  async sessions(): Promise<SessionSummary[]> {
    return (await this.#cloud.json({ path: '/api/v1/user/sessions' })) as SessionSummary[];
  }

  async endSession(id: number): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: `/api/v1/user/sessions/${id}` });
  }
}
