import { createServer } from 'node:http';
import type { ProxyAnnounceBody } from '@heliograph/contracts';
import {
  deriveSiteKey,
  generateSigningKey,
  type SigningKey,
  type SiteAccess,
  signSiteToken,
  signTunnelToken,
  siteKeyDigest,
} from '@heliograph/wire';
import { closeServer, listenLocally } from './local-server.ts';

const SITE_KEY_SECRET = Buffer.alloc(32, 7);

export interface Announcement {
  readonly path: string;
  readonly authorization: string;
  readonly body: ProxyAnnounceBody;
}

/** What a client needs to reach a site, as the cloud's `authorize` hands it out. */
export interface SiteCredentials {
  readonly token: string;
  readonly siteId: number;
  readonly siteKey: string;
}

/** The part of a cloud that a proxy sees: its public keys and the receiver of its announcements. */
export class TestCloud {
  readonly key: SigningKey;
  readonly announcements: Announcement[] = [];
  /** Status that announcements are answered with. */
  announceStatus = 200;
  /** Status that the key set is answered with. */
  keysStatus = 200;
  url = '';
  readonly #server = createServer((req, res) => {
    if (req.url === '/.well-known/jwks.json') {
      res.statusCode = this.keysStatus;
      res.end(JSON.stringify({ keys: [this.key.publicJwk] }));
      return;
    }
    let text = '';
    req.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    req.on('end', () => {
      const body: ProxyAnnounceBody = JSON.parse(text);
      this.announcements.push({
        path: `${req.method} ${req.url}`,
        authorization: req.headers.authorization ?? '',
        body,
      });
      res.statusCode = this.announceStatus;
      res.end('{}');
    });
  });

  constructor(key: SigningKey) {
    this.key = key;
  }

  static async start(): Promise<TestCloud> {
    const cloud = new TestCloud(await generateSigningKey());
    cloud.url = `http://127.0.0.1:${await listenLocally(cloud.#server)}`;
    return cloud;
  }

  async stop(): Promise<void> {
    await closeServer(this.#server);
  }

  async authorize(
    siteId: number,
    options: { access?: SiteAccess; nowMs?: number; key?: SigningKey } = {},
  ): Promise<SiteCredentials> {
    const siteKey = deriveSiteKey(SITE_KEY_SECRET, siteId, 1);
    const { access = 'write', nowMs = Date.now(), key = this.key } = options;
    const claims = { siteId, userId: 1, access, keyDigest: siteKeyDigest(siteKey) };
    return { siteId, siteKey, token: await signSiteToken(key, claims, nowMs) };
  }

  /** @returns the token with which the device of a site may dial the proxy `test-1` */
  tunnelToken(siteId: number, options: { proxy?: string; nowMs?: number; key?: SigningKey } = {}) {
    const { proxy = 'test-1', nowMs = Date.now(), key = this.key } = options;
    return signTunnelToken(key, { uid: `uid-of-${siteId}`, siteId, proxy }, nowMs);
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
