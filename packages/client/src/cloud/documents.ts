import type { DocumentName, OrganizationDocument } from '@heliograph/contracts';
import type { CloudConnection } from './connection.ts';

/** The legal texts of an organization: its own, or the service's where it has none. */
export class Documents {
  readonly #cloud: CloudConnection;
  readonly #path: string;

  constructor(cloud: CloudConnection, organizationId: number) {
    this.#cloud = cloud;
    this.#path = `/api/v1/organizations/${organizationId}/documents`;
  }

  async get(name: DocumentName): Promise<OrganizationDocument> {
    return (await this.#cloud.json({ path: `${this.#path}/${name}` })) as OrganizationDocument;
  }

  /** @param text plain, where `#`, `##` and `-` begin headings and items of lists */
  async set(name: DocumentName, text: string): Promise<OrganizationDocument> {
    const path = `${this.#path}/${name}`;
    return (await this.#cloud.json({ method: 'PUT', path, body: { text } })) as OrganizationDocument;
  }

  /** Goes back to the service's text. */
  async remove(name: DocumentName): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: `${this.#path}/${name}` });
  }
}
