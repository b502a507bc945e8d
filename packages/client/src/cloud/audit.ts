import type { AuditEntry, AuditQuery } from '@heliograph/contracts';
import type { CloudConnection } from './connection.ts';
import type { Page } from './queries.ts';

/** Audit log, newest first. */
export class Audit {
  readonly #cloud: CloudConnection;

  constructor(cloud: CloudConnection) {
    this.#cloud = cloud;
  }

  /** Anywhere, for operators of the service. */
  async all(query: AuditQuery = {}): Promise<AuditEntry[]> {
    return await this.#list('/api/v1/audit', query);
  }

  /** In an organization, for its owners and admins. */
  async ofOrganization(id: number, page: Page = {}): Promise<AuditEntry[]> {
    return await this.#list(`/api/v1/organizations/${id}/audit`, page);
  }

  /** On a site, for its owner and admins. */
  async ofSite(id: number, page: Page = {}): Promise<AuditEntry[]> {
    return await this.#list(`/api/v1/sites/${id}/audit`, page);
  }

  /** To the own account, in a session of it: sign-ins, failed ones too, tokens and consents. */
  async own(page: Page = {}): Promise<AuditEntry[]> {
    return await this.#list('/api/v1/user/audit', page);
  }

  async #list(path: string, query: AuditQuery): Promise<AuditEntry[]> {
    return (await this.#cloud.json({ path, query: { ...query } })) as AuditEntry[];
  }
}
