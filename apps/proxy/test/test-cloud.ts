import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ProxyAnnounceBody, ProxyChangeBody } from '@heliograph/contracts';
import {
  deriveSiteKey,
  generateSigningKey,
  type RecoveryClaim,
  type SigningKey,
  type SiteAccess,
  signSiteToken,
  signTunnelToken,
  siteKeyDigest,
} from '@heliograph/wire';
import { closeServer, listenLocally } from './local-server.ts';
import { TestProxies } from './test-proxies.ts';

const SITE_KEY_SECRET = Buffer.alloc(32, 7);

/** `/api/v1/proxies/{name}`, and the site whose place is asked for. */
const PROXY_PATH = /^\/api\/v1\/proxies\/([^/]+)(?:\/(sites|site_names)\/([^/]+))?$/;

export interface Announcement {
  readonly path: string;
  readonly authorization: string;
  readonly body: Partial<ProxyAnnounceBody & ProxyChangeBody>;
}

/** Credentials of a client for a site, as the cloud's `authorize` answers them. */
export interface SiteCredentials {
  readonly token: string;
  readonly siteId: number;
  readonly siteKey: string;
}

interface AuthorizeOptions {
  readonly access?: SiteAccess;
  readonly nowMs?: number;
  readonly key?: SigningKey;
  readonly userId?: number;
  readonly recovery?: RecoveryClaim;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** The part of a cloud that a proxy sees: its public keys, the receiver of its announcements, and where sites are. */
export class TestCloud {
  readonly key: SigningKey;
  readonly proxies: TestProxies;
  readonly announcements: Announcement[] = [];
  /** Paths at which proxies asked where a site is. */
  readonly lookUps: string[] = [];
  /** Status that announcements are answered with. */
  announceStatus = 200;
  /** Answers to announcements leave when it resolves. */
  announceHeld: Promise<void> | undefined;
  /** Status that questions for sites are answered with. */
  locateStatus = 200;
  /** Status that the key set is answered with. */
  keysStatus = 200;
  /** The keys that it publishes. */
  published: readonly object[];
  url = '';
  readonly #server = createServer((req, res) => {
    this.#answer(req).then(
      ([status, body]) => {
        res.statusCode = status;
        res.end(JSON.stringify(body));
      },
      (error: unknown) => res.destroy(error instanceof Error ? error : undefined),
    );
  });

  constructor(key: SigningKey) {
    this.key = key;
    this.published = [key.publicJwk];
    this.proxies = new TestProxies(key);
  }

  static async start(): Promise<TestCloud> {
    const cloud = new TestCloud(await generateSigningKey());
    cloud.url = `http://127.0.0.1:${await listenLocally(cloud.#server)}`;
    return cloud;
  }

  async stop(): Promise<void> {
    await closeServer(this.#server);
  }

  async authorize(siteId: number, options: AuthorizeOptions = {}): Promise<SiteCredentials> {
    const siteKey = deriveSiteKey(SITE_KEY_SECRET, siteId, 1);
    const { access = 'write', nowMs = Date.now(), key = this.key, userId = 1, recovery, expiresAt } = options;
    const claims = {
      siteId,
      userId,
      access,
      keyDigest: siteKeyDigest(siteKey),
      ...(recovery && { recovery }),
      ...(expiresAt && { expiresAt }),
    };
    return { siteId, siteKey, token: await signSiteToken(key, claims, nowMs) };
  }

  /** @returns the token with which the device of a site may dial the proxy `test-1` */
  tunnelToken(
    siteId: number,
    options: { proxy?: string; nowMs?: number; key?: SigningKey; uid?: string } = {},
  ) {
    const { proxy = 'test-1', nowMs = Date.now(), key = this.key, uid = `uid-of-${siteId}` } = options;
    return signTunnelToken(key, { uid, siteId, proxy }, nowMs);
  }

  async #answer(req: IncomingMessage): Promise<[status: number, body: object]> {
    const { pathname, searchParams } = new URL(req.url ?? '/', this.url);
    if (pathname === '/.well-known/jwks.json') return [this.keysStatus, { keys: this.published }];
    const [, name = '', kind, id = ''] = PROXY_PATH.exec(pathname) ?? [];
    if (req.method === 'GET') {
      this.lookUps.push(pathname);
      const location =
        kind === 'sites' ? this.proxies.locate(name, Number(id)) : this.proxies.locateByName(name, id);
      return [(await location) === undefined ? 404 : this.locateStatus, (await location) ?? {}];
    }
    const body = JSON.parse(await text(req));
    const authorization = req.headers.authorization ?? '';
    this.announcements.push({ path: `${req.method} ${pathname}`, authorization, body });
    if (this.announceStatus !== 200) return [this.announceStatus, {}];
    if (req.method === 'PUT') this.proxies.announce(name, body);
    else if (!this.proxies.change(name, body)) return [409, {}];
    const answer = this.proxies.answer(name, searchParams.get('revocations_since'));
    await this.announceHeld;
    return [200, answer];
  }
}

/** The three headers of a request through the proxy. */
export function siteHeaders(credentials: SiteCredentials): Record<string, string> {
  return {
    authorization: `Bearer ${credentials.token}`,
    'Site-Id': String(credentials.siteId),
    'Site-Key': credentials.siteKey,
  };
}

/** The same as lines, for requests that are written by hand. */
export function siteHeaderLines(credentials: SiteCredentials): string[] {
  return Object.entries(siteHeaders(credentials)).map(([name, value]) => `${name}: ${value}`);
}
