import type { Application, ApplicationScope, ApplicationWithSecret } from '@heliograph/contracts';
import type { CloudConnection } from './connection.ts';

export interface NewApplication {
  /** Shown on the consent page. */
  readonly name: string;
  /** Redirect URIs; omitted for an application that only exchanges identity tokens. */
  readonly redirectUris?: readonly string[];
  /** It runs in the browser and has no secret. */
  readonly browserOnly?: boolean;
  /** The scopes it may request, which cannot be changed later. Default: all scopes of applications. */
  readonly scopes?: readonly ApplicationScope[];
}

/** The applications of an organization, for its owners and admins. */
export class Applications {
  readonly #cloud: CloudConnection;
  readonly #path: string;

  constructor(cloud: CloudConnection, organizationId: number) {
    this.#cloud = cloud;
    this.#path = `/api/v1/organizations/${organizationId}/applications`;
  }

  async list(): Promise<Application[]> {
    return (await this.#cloud.json({ path: this.#path })) as Application[];
  }

  async get(clientId: string): Promise<Application> {
    return (await this.#cloud.json({ path: this.#pathOf(clientId) })) as Application;
  }

  /** Makes an application. Its `client_secret` is in this answer and never in another. */
  async create(application: NewApplication): Promise<ApplicationWithSecret> {
    const { name, redirectUris, browserOnly, scopes } = application;
    const body = { name, redirect_uris: redirectUris, browser_only: browserOnly, scopes };
    return (await this.#cloud.json({ method: 'POST', path: this.#path, body })) as ApplicationWithSecret;
  }

  /** Changes the name, or where users may be sent back to. */
  async change(
    clientId: string,
    { name, redirectUris }: Partial<Pick<NewApplication, 'name' | 'redirectUris'>>,
  ): Promise<Application> {
    return (await this.#cloud.json({
      method: 'PATCH',
      path: this.#pathOf(clientId),
      body: { name, redirect_uris: redirectUris },
    })) as Application;
  }

  /** Makes another `client_secret`, which is in this answer and never in another; the one before ends at once. */
  async replaceSecret(clientId: string): Promise<ApplicationWithSecret> {
    return (await this.#cloud.json({
      method: 'POST',
      path: `${this.#pathOf(clientId)}/secret`,
    })) as ApplicationWithSecret;
  }

  /** Deletes an application, and ends whatever users allowed it. */
  async delete(clientId: string): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: this.#pathOf(clientId) });
  }

  #pathOf(clientId: string): string {
    return `${this.#path}/${encodeURIComponent(clientId)}`;
  }
}
