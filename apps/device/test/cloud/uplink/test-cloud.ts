import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { DeviceConnectAnswer, DeviceConnectBody } from '@heliograph/contracts';
import { inPieces } from '@heliograph/dev/in-pieces';
import {
  deriveSiteKey,
  generateSigningKey,
  type RecoveryClaim,
  type SigningKey,
  type SiteAccess,
  signSiteToken,
  siteKeyDigest,
} from '@heliograph/wire';

/** That it has too many to answer. */
export interface Busy {
  readonly retryAfterS: number;
}

/** A number is a bare status, a text is sent as it is. */
export type TestAnswer = DeviceConnectAnswer | Busy | number | string;

export interface TestCloud {
  readonly url: string;
  readonly key: SigningKey;
  readonly siteKey: string;
  /** Every `connect` body so far. */
  readonly connects: DeviceConnectBody[];
  /** The `traceparent` of each. */
  readonly traceparents: (string | undefined)[];
  /** Method and path of each call that sends data of the device. */
  readonly uploads: string[];
  /** How often the keys were fetched. */
  keyFetches: number;
  /** The answer of `connect`: the same for every device, or computed from its body. */
  answer: TestAnswer | ((body: DeviceConnectBody) => TestAnswer | Promise<TestAnswer>);
  siteToken(
    claims?: Partial<{
      siteId: number;
      access: SiteAccess;
      mayConfigure: boolean;
      isPerson: boolean;
      source: string | null;
      recovery: RecoveryClaim;
      expiresAt: number;
      key: SigningKey;
      atMs: number;
    }>,
  ): Promise<string>;
  stop(): Promise<void>;
}

export const SITE_ID = 7;
export const USER_ID = 12;

/** The answers to data of devices, by their paths. */
const UPLOADS: Readonly<Record<string, string>> = {
  '/api/v1/devices/alerts': '{"acknowledged":[]}',
  '/api/v1/devices/history': '{"agreed_at":null}',
  '/api/v1/devices/backups': '{}',
};

/** Plays the cloud: publishes its keys, signs site tokens, and answers devices as tests configure it. */
export async function startTestCloud(): Promise<TestCloud> {
  const key = await generateSigningKey();
  const siteKey = deriveSiteKey(Buffer.from('a secret of the cloud'), SITE_ID, 1);
  const server = createServer(async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const upload = UPLOADS[path];
    if (upload !== undefined) cloud.uploads.push(`${request.method} ${path}`);
    const answer =
      upload ??
      (path === '/.well-known/jwks.json'
        ? keysAnswer()
        : await connectAnswer(await json(request), request.headers.traceparent));
    const isBusy = typeof answer === 'object' && 'retryAfterS' in answer;
    if (isBusy) response.setHeader('retry-after', answer.retryAfterS);
    const status = isBusy ? 503 : typeof answer === 'number' ? answer : 200;
    const body = typeof answer === 'number' ? { error: 'no' } : answer;
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const keysAnswer = (): string => {
    cloud.keyFetches++;
    return JSON.stringify({ keys: [key.publicJwk] });
  };
  const connectAnswer = async (
    received: unknown,
    traceparent: string | string[] | undefined,
  ): Promise<TestAnswer> => {
    const body = received as DeviceConnectBody;
    cloud.connects.push(body);
    cloud.traceparents.push(traceparent?.toString());
    return typeof cloud.answer === 'function' ? await cloud.answer(body) : cloud.answer;
  };
  inPieces(server).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const cloud: TestCloud = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    siteKey,
    connects: [],
    traceparents: [],
    uploads: [],
    keyFetches: 0,
    answer: { status: 'inactive', retry_after_s: 60 },
    siteToken: ({ siteId = SITE_ID, access = 'write', key: signer = key, atMs = Date.now(), ...rest } = {}) =>
      signSiteToken(
        signer,
        { siteId, userId: USER_ID, access, keyDigest: siteKeyDigest(siteKey), ...rest },
        atMs,
      ),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return cloud;
}
