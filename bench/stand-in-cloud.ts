import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { DeviceConnectAnswer, ProxyAnnounceBody, ProxyChangeBody } from '@heliograph/contracts';
import {
  deriveSiteKey,
  generateSigningKey,
  type SigningKey,
  signSiteToken,
  signTunnelToken,
  siteKeyDigest,
} from '@heliograph/wire';

const SITE_KEY_SECRET = Buffer.alloc(32, 7);
/** The site of every device that asks for its way in. */
export const SITE_ID = 1;

/** As much of a cloud as a proxy and a device need, for benchmarks that do not measure the cloud. */
export class StandInCloud implements AsyncDisposable {
  url = '';
  /** Number of devices that the proxy announced. */
  readonly announced = new Set<string>();
  readonly #key: SigningKey;
  readonly #server = createServer((req, res) => void this.#answer(req, res));
  #proxy = { name: '', url: '' };

  private constructor(key: SigningKey) {
    this.#key = key;
  }

  static async start(): Promise<StandInCloud> {
    const cloud = new StandInCloud(await generateSigningKey());
    await new Promise<void>((resolve) => cloud.#server.listen(0, '127.0.0.1', resolve));
    cloud.url = `http://127.0.0.1:${(cloud.#server.address() as AddressInfo).port}`;
    return cloud;
  }

  tunnelToken(uid: string, siteId: number, proxy: string): Promise<string> {
    return signTunnelToken(this.#key, { uid, siteId, proxy }, Date.now());
  }

  /** Credentials of a client for a site. */
  async authorize(siteId: number): Promise<{ token: string; siteId: number; siteKey: string }> {
    const siteKey = deriveSiteKey(SITE_KEY_SECRET, siteId, 1);
    const claims = { siteId, userId: 1, access: 'write', keyDigest: siteKeyDigest(siteKey) } as const;
    return { siteId, siteKey, token: await signSiteToken(this.#key, claims, Date.now()) };
  }

  /** @throws when the proxy does not announce so many devices within a minute */
  async untilAnnounced(count: number): Promise<void> {
    const deadline = performance.now() + 60_000;
    while (this.announced.size !== count) {
      if (performance.now() > deadline)
        throw new Error(`${this.announced.size} of ${count} tunnels announced`);
      await delay(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const answer = await this.#answerTo(req);
    res.statusCode = answer === undefined ? 404 : 200;
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(answer ?? { error: 'Not found' }));
  }

  async #answerTo(req: IncomingMessage): Promise<object | undefined> {
    const path = req.url?.split('?', 1)[0] ?? '';
    if (path === '/.well-known/jwks.json') return { keys: [this.#key.publicJwk] };
    if (path === '/api/v1/devices/connect') return this.#connect((await json(req)) as { proof: string });
    const [, name] = /^\/api\/v1\/proxies\/([^/]+)$/.exec(path) ?? [];
    if (name === undefined) return undefined;
    if (req.method === 'PUT') this.#announce(name, (await json(req)) as ProxyAnnounceBody);
    else this.#change((await json(req)) as ProxyChangeBody);
    return { revoked: [], drain: false, revocations: [] };
  }

  async #connect({ proof }: { proof: string }): Promise<DeviceConnectAnswer> {
    const claims = JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString()) as {
      sub: string;
    };
    return {
      status: 'ready',
      site_id: SITE_ID,
      site_name: 'bench',
      proxy: this.#proxy,
      tunnel_token: await this.tunnelToken(claims.sub, SITE_ID, this.#proxy.name),
    };
  }

  #announce(name: string, { url, sessions }: ProxyAnnounceBody): void {
    this.#proxy = { name, url };
    this.announced.clear();
    for (const { uid } of sessions) this.announced.add(uid);
  }

  #change({ removed, added }: ProxyChangeBody): void {
    for (const uid of removed) this.announced.delete(uid);
    for (const { uid } of added) this.announced.add(uid);
  }
}
