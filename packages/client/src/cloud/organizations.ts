import type { Organization, OwnOrganization } from '@heliograph/contracts';
import { Applications } from './applications.ts';
import type { CloudConnection } from './connection.ts';
import { Members } from './members.ts';

/** Companies that serve customers under their own name. */
export class Organizations {
  readonly #cloud: CloudConnection;

  constructor(cloud: CloudConnection) {
    this.#cloud = cloud;
  }

  /** Those that the account works for; for an operator of the service all. */
  async list(): Promise<OwnOrganization[]> {
    return (await this.#cloud.json({ path: '/api/v1/organizations' })) as OwnOrganization[];
  }

  /** Name, colours and logo, which are public. */
  async get(id: number): Promise<Organization> {
    return (await this.#cloud.json({ path: `/api/v1/organizations/${id}` })) as Organization;
  }

  /** Who works for it. */
  members(id: number): Members {
    return new Members(this.#cloud, `/api/v1/organizations/${id}`);
  }

  /** The programs with which it asks users for access. */
  applications(id: number): Applications {
    return new Applications(this.#cloud, id);
  }
}
