import type {
  ChangeOrganizationBody,
  CreateOrganizationBody,
  Organization,
  OrganizationMember,
  OwnOrganization,
} from '@heliograph/contracts';
import { Applications } from './applications.ts';
import type { CloudConnection } from './connection.ts';
import { Documents } from './documents.ts';
import { Members } from './members.ts';
import type { OrganizationsQuery } from './queries.ts';

/** Companies that serve customers under their own name. */
export class Organizations {
  readonly #cloud: CloudConnection;

  constructor(cloud: CloudConnection) {
    this.#cloud = cloud;
  }

  /** Those that the account works for; for an operator of the service all. */
  async list({ q, limit, offset }: OrganizationsQuery = {}): Promise<OwnOrganization[]> {
    const query = { q, limit, offset };
    return (await this.#cloud.json({ path: '/api/v1/organizations', query })) as OwnOrganization[];
  }

  /** Name, colours and logo, which are public. */
  async get(id: number): Promise<Organization> {
    return (await this.#cloud.json({ path: `/api/v1/organizations/${id}` })) as Organization;
  }

  /** Creates an organization without employees, for operators of the service. */
  async create(organization: CreateOrganizationBody): Promise<OwnOrganization> {
    const path = '/api/v1/organizations';
    return (await this.#cloud.json({ method: 'POST', path, body: organization })) as OwnOrganization;
  }

  /** Changes name, host and colours, for its owners and admins. What is left out stays as it is. */
  async change(id: number, changes: ChangeOrganizationBody): Promise<OwnOrganization> {
    const path = `/api/v1/organizations/${id}`;
    return (await this.#cloud.json({ method: 'PATCH', path, body: changes })) as OwnOrganization;
  }

  /** @param image SVG or PNG by its `type`, at most 256 KiB */
  async setLogo(id: number, image: Blob): Promise<void> {
    await this.#cloud.done({ method: 'PUT', path: `/api/v1/organizations/${id}/logo`, file: image });
  }

  async removeLogo(id: number): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: `/api/v1/organizations/${id}/logo` });
  }

  /** Its legal texts. */
  documents(id: number): Documents {
    return new Documents(this.#cloud, id);
  }

  /** Employees and invited accounts, which become employees by accepting. */
  members(id: number): Members<OrganizationMember> {
    return new Members(this.#cloud, `/api/v1/organizations/${id}`);
  }

  /** The programs with which it asks users for access. */
  applications(id: number): Applications {
    return new Applications(this.#cloud, id);
  }
}
