import type { TeamInvitation } from '@heliograph/contracts';
import type { CloudConnection } from './connection.ts';

/** Invitations of the account to work for organizations. They open to a session only, never to an API token. */
export class TeamInvitations {
  readonly #cloud: CloudConnection;

  constructor(cloud: CloudConnection) {
    this.#cloud = cloud;
  }

  /** Those that can be accepted now. */
  async list(): Promise<TeamInvitation[]> {
    return (await this.#cloud.json({ path: '/api/v1/user/invitations' })) as TeamInvitation[];
  }

  /** Makes the account an employee of the organization. */
  async accept(organizationId: number): Promise<void> {
    await this.#cloud.done({ method: 'POST', path: `/api/v1/user/invitations/${organizationId}/accept` });
  }

  async decline(organizationId: number): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: `/api/v1/user/invitations/${organizationId}` });
  }
}
