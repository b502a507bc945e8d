import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Site, type SiteMember, type SiteSummary, User } from '@heliograph/contracts';
import { sampleOf } from '@heliograph/contracts/testing';
import type { FakeDevice } from './fake-device.ts';
import { closeServer, listen, readJson, sendJson } from './http.ts';

const USER = { ...sampleOf(User), id: 1, email: 'demo@example.com' };

type Answer = readonly [status: number, body: unknown];

/** A cloud with a few sites, whose live data is at one fake device. */
export class FakeCloud {
  token = 'api-token';
  readonly sites: SiteSummary[];
  /** Members of each site. */
  members: readonly SiteMember[] = [];
  /** Requests that came, as `METHOD /path?query`. */
  readonly requests: string[] = [];
  url = '';
  /** Whether the link in the confirmation mail of `new@example.com` was clicked. */
  confirmed = false;
  readonly #device: FakeDevice | undefined;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  constructor(sites: readonly SiteSummary[], device?: FakeDevice) {
    this.sites = [...sites];
    this.#device = device;
  }

  async start(): Promise<this> {
    this.url = `http://${await listen(this.#server)}`;
    return this;
  }

  async stop(): Promise<void> {
    await closeServer(this.#server);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(`${request.method} ${request.url}`);
    const [status, body] = this.#route(request, await readJson(request));
    sendJson(response, status, body);
  }

  #route({ url = '/', headers }: IncomingMessage, body: Readonly<Record<string, unknown>>): Answer {
    const { pathname, searchParams } = new URL(url, 'http://cloud');
    if (pathname === '/api/v1/sign_in') return this.#signIn(body);
    if (headers.authorization !== `Bearer ${this.token}`) return [401, { error: 'Unauthorized' }];
    if (pathname === '/api/v1/session') return [200, { session_token: 's1' }];
    if (pathname === '/api/v1/id_token') return [200, { id_token: JSON.stringify(body), expires_in: 300 }];
    if (pathname === '/api/v1/user') return [200, USER];
    if (pathname === '/api/v1/sites') return [200, this.#search(searchParams)];
    if (pathname === '/api/v1/sites/register') return this.#register(body);
    if (/^\/api\/v1\/sites\/\d+\/users$/.test(pathname)) return [200, this.members];
    const [, id, action] = /^\/api\/v1\/sites\/(\d+)(\/authorize)?$/.exec(pathname) ?? [];
    const site = this.sites.find((candidate) => candidate.id === Number(id));
    if (site === undefined) return [404, { error: 'Not found' }];
    return action === undefined
      ? [200, { ...sampleOf(Site), ...site, users: this.members, permissions: ['read'] }]
      : this.#authorize(site);
  }

  #signIn(body: Readonly<Record<string, unknown>>): Answer {
    const { email, password, pending_token, organization_id } = body;
    if (email === 'new@example.com' && !this.confirmed) {
      const nextStep = { next_step: 'click_email_link', pending_token: 'p1' };
      return [412, { error: 'Confirm your email first', ...nextStep }];
    }
    if ((password !== 'secret' && pending_token !== 'p1') || organization_id === undefined)
      return [401, { error: 'Wrong email or password' }];
    return [200, { token: this.token, expires_at: '2030-01-01T00:00:00Z', user: USER }];
  }

  #search(query: URLSearchParams): SiteSummary[] {
    const q = query.get('q') ?? '';
    const offset = Number(query.get('offset') ?? 0);
    const found = this.sites.filter(({ name }) =>
      q.startsWith('name:') ? name === q.slice('name:'.length) : (name ?? '').includes(q),
    );
    return found.slice(offset, offset + Number(query.get('limit') ?? 20));
  }

  #register({ name, description }: Readonly<Record<string, unknown>>): Answer {
    if (this.sites.some((site) => site.name === name))
      return [422, { errors: { name: ['is already taken'] } }];
    return [200, { ...this.sites[0], id: 99, name, description }];
  }

  #authorize(site: SiteSummary): Answer {
    if (this.#device === undefined) return [404, { error: 'Not found' }];
    const { token, siteKey } = this.#device.credentials;
    this.#device.credentials.siteId = site.id;
    return [200, { host: this.#device.address, site_id: site.id, site_key: siteKey, token }];
  }
}
