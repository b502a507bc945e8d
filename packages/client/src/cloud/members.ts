import type { SiteMember, SiteRole } from '@heliograph/contracts';
import type { CloudConnection } from './connection.ts';

export interface Invitation {
  readonly email: string;
  readonly role: SiteRole;
  /** Needed, as is the last name, when the address has no confirmed account yet. */
  readonly firstName?: string;
  readonly lastName?: string;
}

/** Members of a site, or employees of an organization. */
export class Members<Member extends SiteMember = SiteMember> {
  readonly #cloud: CloudConnection;
  readonly #path: string;

  /** @param path the site's or organization's own, such as `/api/v1/sites/7` */
  constructor(cloud: CloudConnection, path: string) {
    this.#cloud = cloud;
    this.#path = `${path}/users`;
  }

  async list(): Promise<Member[]> {
    return (await this.#cloud.json({ path: this.#path })) as Member[];
  }

  /**
   * Gives the account with the email a role; without one, an account is created and mailed. A site's new owner
   * replaces the former one, who becomes an admin.
   */
  async invite({ email, role, firstName, lastName }: Invitation): Promise<Member> {
    const body = { email, role, first_name: firstName, last_name: lastName };
    return (await this.#cloud.json({ method: 'POST', path: this.#path, body })) as Member;
  }

  async changeRole(userId: number, role: SiteRole): Promise<Member> {
    return (await this.#cloud.json({
      method: 'PATCH',
      path: `${this.#path}/${userId}`,
      body: { role },
    })) as Member;
  }

  async remove(userId: number): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: `${this.#path}/${userId}` });
  }
}
