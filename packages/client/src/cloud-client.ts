import type {
  IdTokenAnswer,
  Locale,
  LocalSite,
  RequestActivationAnswer,
  Session,
  SessionTokenAnswer,
  Site,
  SiteAuthorization,
  SiteReachability,
  SiteSummary,
  SiteWithToken,
  User,
} from '@heliograph/contracts';
import { CloudAccounts, type Credentials } from './cloud/accounts.ts';
import { ActivationCodes, ActivationRequests } from './cloud/activation.ts';
import { Audit } from './cloud/audit.ts';
import { CloudConnection } from './cloud/connection.ts';
import { Connections } from './cloud/connections.ts';
import { Devices } from './cloud/devices.ts';
import { Members } from './cloud/members.ts';
import { Organizations } from './cloud/organizations.ts';
import { Proxies } from './cloud/proxies.ts';
import type { ActivationInput, NewSite, SitesQuery, UsersQuery } from './cloud/queries.ts';
import { SecondFactors } from './cloud/second-factor.ts';
import { TeamInvitations } from './cloud/team-invitations.ts';
import { Tokens } from './cloud/tokens.ts';
import type { ProxyAccess } from './device/access.ts';
import { DeviceClient } from './device-client.ts';

export interface CloudClientOptions {
  /** Base URL of the cloud, such as `https://cloud.example.com`; `/portal` on pages of the cloud itself. */
  readonly url: string;
  /** API, session or OAuth token. Omitted on pages of the cloud itself, which authenticate by cookie. */
  readonly token?: string;
}

export type SignIn = { readonly url: string } & Credentials;

export interface SiteDeviceOptions {
  /** The scheme of a proxy host where the rule of {@link ProxyAccess} is not right. */
  readonly schemeOf?: (host: string) => 'http' | 'https' | undefined;
}

/**
 * The cloud's API for a caller with a token or a session cookie: accounts, sites, members. For live data see {@link device}.
 *
 * Every method throws ApiError when the cloud refuses, ConnectionError when it cannot be reached.
 */
export class CloudClient {
  readonly url: string;
  readonly tokens: Tokens;
  readonly organizations: Organizations;
  readonly connections: Connections;
  readonly teamInvitations: TeamInvitations;
  readonly audit: Audit;
  readonly devices: Devices;
  readonly activationRequests: ActivationRequests;
  readonly proxies: Proxies;
  readonly secondFactors: SecondFactors;
  readonly #cloud: CloudConnection;

  constructor({ url, token }: CloudClientOptions) {
    this.#cloud = new CloudConnection(url, token);
    this.url = this.#cloud.url;
    this.tokens = new Tokens(this.#cloud);
    this.organizations = new Organizations(this.#cloud);
    this.connections = new Connections(this.#cloud);
    this.teamInvitations = new TeamInvitations(this.#cloud);
    this.audit = new Audit(this.#cloud);
    this.devices = new Devices(this.#cloud);
    this.activationRequests = new ActivationRequests(this.#cloud);
    this.proxies = new Proxies(this.#cloud);
    this.secondFactors = new SecondFactors(this.#cloud);
  }

  /** Exchanges credentials for a session, as {@link CloudAccounts.signIn} does; its token makes a client. */
  static signIn({ url, ...credentials }: SignIn): Promise<Session> {
    return new CloudAccounts(url).signIn(credentials);
  }

  /** Makes a token that signs in another page as this session does: good once, for 60 seconds. */
  async createSessionToken(): Promise<SessionTokenAnswer> {
    return (await this.#cloud.json({ method: 'POST', path: '/api/v1/session' })) as SessionTokenAnswer;
  }

  /**
   * Makes an id_token of this session, valid for 300 seconds, for an application that verifies the user itself.
   *
   * @param nonce any text; the id_token repeats it, which ties the token to the application's request
   * @throws ApiError with status 422 for a client that is no such application
   */
  async idToken(clientId: string, nonce: string): Promise<IdTokenAnswer> {
    const body = { client_id: clientId, nonce };
    return (await this.#cloud.json({ method: 'POST', path: '/api/v1/id_token', body })) as IdTokenAnswer;
  }

  /** Ends the session of this client. */
  async signOut(): Promise<void> {
    await this.#cloud.done({ method: 'DELETE', path: '/api/v1/session' });
  }

  async user(): Promise<User> {
    return (await this.#cloud.json({ path: '/api/v1/user' })) as User;
  }

  /** Changes the language of pages and mails. */
  async setLocale(locale: Locale): Promise<User> {
    return (await this.#cloud.json({ method: 'PATCH', path: '/api/v1/user', body: { locale } })) as User;
  }

  /** The directory, as far as the account sees it. */
  async users({ q, limit, offset }: UsersQuery = {}): Promise<User[]> {
    return (await this.#cloud.json({ path: '/api/v1/users', query: { q, limit, offset } })) as User[];
  }

  async sites({ q, organizationId, limit, offset }: SitesQuery = {}): Promise<SiteSummary[]> {
    const query = { q, organization_id: organizationId, limit, offset };
    return (await this.#cloud.json({ path: '/api/v1/sites', query })) as SiteSummary[];
  }

  /**
   * Sites whose devices are on the caller's own network.
   *
   * @param uid marks the site that has this device
   */
  async localSites(uid?: string): Promise<LocalSite[]> {
    const q = uid === undefined ? undefined : `uid:${uid}`;
    return (await this.#cloud.json({ path: '/api/v1/sites/local', query: { q } })) as LocalSite[];
  }

  async site(id: number): Promise<Site> {
    return (await this.#cloud.json({ path: `/api/v1/sites/${id}` })) as Site;
  }

  /** The members of a site. */
  members(siteId: number): Members {
    return new Members(this.#cloud, `/api/v1/sites/${siteId}`);
  }

  /** Adds a device to the caller's account; one that is already there is returned unchanged. */
  async registerSite(site: NewSite): Promise<SiteWithToken> {
    return (await this.#cloud.json({
      method: 'POST',
      path: '/api/v1/sites/register',
      body: site,
    })) as SiteWithToken;
  }

  /** Asks for a device to be activated; it is registered at once where a code or the service's policy allows. */
  async requestActivation(input: ActivationInput): Promise<RequestActivationAnswer> {
    return (await this.#cloud.json({
      method: 'POST',
      path: '/api/v1/sites/request_activation',
      body: input,
    })) as RequestActivationAnswer;
  }

  /** Gives a site another name, and with it another hostname on the proxy. */
  async renameSite(id: number, name: string): Promise<SiteWithToken> {
    return (await this.#cloud.json({
      method: 'PATCH',
      path: `/api/v1/sites/${id}/name`,
      body: { name },
    })) as SiteWithToken;
  }

  /** Changes the description of a site; null removes it. */
  async describeSite(id: number, description: string | null): Promise<SiteSummary> {
    return (await this.#cloud.json({
      method: 'PATCH',
      path: `/api/v1/sites/${id}`,
      body: { description },
    })) as SiteSummary;
  }

  /** The codes of an organization, or without one those of the service. */
  activationCodes(organizationId?: number): ActivationCodes {
    return new ActivationCodes(this.#cloud, organizationId);
  }

  /** Whether the device answers through its proxy; found out at most once a minute. */
  async reachability(id: number): Promise<SiteReachability> {
    return (await this.#cloud.json({
      method: 'PUT',
      path: `/api/v1/sites/${id}/offline`,
      body: {},
    })) as SiteReachability;
  }

  /** Makes a token and key for the site's live data, good for 7 days. */
  async authorize(id: number): Promise<SiteAuthorization> {
    return (await this.#cloud.json({
      method: 'POST',
      path: `/api/v1/sites/${id}/authorize`,
    })) as SiteAuthorization;
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
}
