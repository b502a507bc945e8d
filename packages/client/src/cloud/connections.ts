import type { Connection, SiteConnections } from '@heliograph/contracts';
import type { CloudConnection } from './connection.ts';

/** Grants of the account to applications and agents. */
export class Connections {
  readonly #cloud: CloudConnection;

  constructor(cloud: CloudConnection) {
    this.#cloud = cloud;
  }

  async list(): Promise<Connection[]> {
    return (await this.#cloud.json({ path: '/api/v1/user/connections' })) as Connection[];
  }

  /** Ends one, with all its tokens. Site tokens of the account itself end too: ask for new ones. */
  async revoke(id: string): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: `/api/v1/user/connections/${encodeURIComponent(id)}` });
  }

  /** Which organizations and applications may read a site, for its owner and admins. */
  async ofSite(siteId: number): Promise<SiteConnections> {
    return (await this.#cloud.json({ path: `/api/v1/sites/${siteId}/connections` })) as SiteConnections;
  }

  /** Revokes a member's grant to an application for a site. */
  async revokeOnSite(siteId: number, id: string): Promise<void> {
    const path = `/api/v1/sites/${siteId}/connections/${encodeURIComponent(id)}`;
    await this.#cloud.done({ method: 'DELETE', path });
  }
}
