import type {
  Session,
  SessionTokenAnswer,
  Site,
  SiteAuthorization,
  SiteSummary,
  User,
} from '@heliograph/contracts';
import type { ProxyAccess } from './device-access.ts';
import { DeviceClient } from './device-client.ts';
import { type Call, callJson } from './http/call.ts';

/** How long the cloud may take to answer, in milliseconds. */
const TIMEOUT_MS = 15_000;

export interface CloudClientOptions {
  /** Base URL of the cloud, such as `https://cloud.example.com`. */
  readonly url: string;
  /** API, session or OAuth token. */
  readonly token: string;
}

export type SignIn = {
  /** Base URL of the cloud. */
  readonly url: string;
  readonly email: string;
  /** An organization's id for a token restricted to it. */
  readonly organizationId?: number | 'none';
} & (
  | { readonly password: string }
  /** From the answer to an unconfirmed sign-in: in place of the password once the link in the email is clicked. */
  | { readonly pendingToken: string }
);

export interface SitesQuery {
  /** Words to search for, and exact filters such as `name:my-site`, joined with spaces. */
  readonly q?: string;
  /** The server returns 20 when it is left out. */
  readonly limit?: number;
  readonly offset?: number;
}

export interface NewSite {
  /** The device's identifier, as its pages show it. */
  readonly uid: string;
  /** Becomes the site's hostname on the proxy. */
  readonly name?: string;
  readonly description?: string;
}

export interface SiteDeviceOptions {
  /** The scheme of a proxy host where the rule of {@link ProxyAccess} is not right. */
  readonly schemeOf?: (host: string) => 'http' | 'https' | undefined;
}

/**
 * The cloud: accounts and sites. Live data is not here; {@link device} leads to it.
 *
 * Every method throws ApiError when the cloud refuses, ConnectionError when it cannot be reached.
 */
export class CloudClient {
  readonly url: string;
  readonly #token: string;

  constructor(options: CloudClientOptions) {
    this.url = baseOf(options.url);
    this.#token = options.token;
  }

  /**
   * Exchanges an email and a password for a session of 30 days; its token makes a client.
   *
   * @throws ApiError with status 412 while the email is unconfirmed; its body has the `pending_token`, with which
   * a caller asks again every few seconds, for 10 minutes at most
   */
  static async signIn(options: SignIn): Promise<Session> {
    const { email, organizationId = 'none' } = options;
    const secret =
      'password' in options ? { password: options.password } : { pending_token: options.pendingToken };
    const answer = await callJson(baseOf(options.url), {
      method: 'POST',
      path: '/api/v1/sign_in',
      body: { email, organization_id: organizationId, ...secret },
      timeoutMs: TIMEOUT_MS,
    });
    return answer as Session;
  }

  /** Makes a token that signs in another page as this session does: good once, for 60 seconds. */
  async handOver(): Promise<SessionTokenAnswer> {
    return (await this.#call({ method: 'POST', path: '/api/v1/session' })) as SessionTokenAnswer;
  }

  async user(): Promise<User> {
    return (await this.#call({ path: '/api/v1/user' })) as User;
  }

  async sites(query: SitesQuery = {}): Promise<SiteSummary[]> {
    const { q, limit, offset } = query;
    return (await this.#call({ path: '/api/v1/sites', query: { q, limit, offset } })) as SiteSummary[];
  }

  async site(id: number): Promise<Site> {
    return (await this.#call({ path: `/api/v1/sites/${id}` })) as Site;
  }

  /** Makes a token and key for the site's live data, good for 7 days. */
  async authorize(id: number): Promise<SiteAuthorization> {
    return (await this.#call({
      method: 'POST',
      path: `/api/v1/sites/${id}/authorize`,
    })) as SiteAuthorization;
  }

  /** Adds a device to the caller's account; one that is already there is returned unchanged. */
  async registerSite(site: NewSite): Promise<SiteSummary> {
    return (await this.#call({
      method: 'POST',
      path: '/api/v1/sites/register',
      body: site,
    })) as SiteSummary;
  }

  /**
   * The site's device, through its proxy. Asks for a new token by itself when the old one has expired, and
   * finds the device again when it has moved to another proxy.
   */
  async device(id: number, options: SiteDeviceOptions = {}): Promise<DeviceClient> {
    const renew = async (): Promise<ProxyAccess> => {
      const { host, token, site_id: siteId, site_key: siteKey } = await this.authorize(id);
      const scheme = options.schemeOf?.(host);
      return { host, token, siteId, siteKey, ...(scheme === undefined ? {} : { scheme }) };
    };
    return new DeviceClient(await renew(), { renew });
  }

  async #call(call: Omit<Call, 'timeoutMs' | 'headers'>): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#token}` };
    return await callJson(this.url, { ...call, headers, timeoutMs: TIMEOUT_MS });
  }
}

function baseOf(url: string): string {
  return url.replace(/\/+$/, '');
}
