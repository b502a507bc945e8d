import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { auth } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BrowserJar } from '../../../test/oauth/browser-jar.ts';
import { McpAgent } from '../../../test/oauth/mcp-agent.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { tracingLogger } from '../../../test/tracing-logger.ts';
import { isPublicAddress } from '../../common/outbound/public-address.ts';

const CALLBACK = 'http://localhost/callback';
const { logger, lines } = tracingLogger();

/** Addresses of the names in these tests; one is a server of this machine, which stands for the internet. */
const NAMES: Readonly<Record<string, string[]>> = {
  localhost: ['127.0.0.1'],
  'inside.example.org': ['10.0.0.1'],
  'metadata.example.org': ['169.254.169.254'],
  'both.example.org': ['127.0.0.1', '::ffff:10.0.0.1'],
};

let pages: Server;
let cloud: TestCloud;
let serve: (response: ServerResponse, path: string) => void;
let served: string[];
let count = 0;

beforeAll(async () => {
  pages = createServer({ cert: TEST_TLS.cert, key: TEST_TLS.key }, ({ url = '' }, response) => {
    served.push(url);
    serve(response, url);
  });
  await new Promise<void>((resolve) => inPieces(pages).listen(0, '127.0.0.1', resolve));
  const internet = {
    resolve: async (name: string) => NAMES[name] ?? [],
    allowAddress: (address: string) => address === '127.0.0.1' || isPublicAddress(address),
    ca: TEST_TLS.cert,
    port: (pages.address() as AddressInfo).port,
    deadlineMs: 2_000,
  };
  cloud = await startTestCloud({}, logger, { internet });
});

afterAll(async () => {
  await cloud?.[Symbol.asyncDispose]();
  pages.closeAllConnections();
  await new Promise((resolve) => pages.close(resolve));
});

beforeEach(() => {
  served = [];
  lines.length = 0;
  serve = (response, path) => document(response, { client_id: `https://localhost${path}` });
});

function document(response: ServerResponse, fields: Record<string, unknown>, headers = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ client_name: 'Roof watcher', redirect_uris: [CALLBACK], ...fields }));
}

/** An address that was not requested before. */
function freshId(): string {
  count += 1;
  return `https://localhost/agent-${count}.json`;
}

function freshNetwork(): string {
  count += 1;
  return `198.18.0.${count % 250}`;
}

async function authorize(clientId: string, query: Record<string, string> = {}, from = freshNetwork()) {
  const response = await fetch(authorizationOf(clientId, query), {
    redirect: 'manual',
    headers: { 'x-forwarded-for': from },
  });
  const { status, headers } = response;
  return { status, location: headers.get('location') ?? '', headers, page: await response.text() };
}

function authorizationOf(clientId: string, query: Record<string, string> = {}): string {
  const parameters = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: 'http://localhost:41234/callback',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWDbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...query,
  });
  return `${cloud.url}/oauth/authorize?${parameters}`;
}

const CONSENT = { status: 303, location: expect.stringContaining('/oauth/consent/') };

describe('AgentDocuments', () => {
  it('the MCP SDK gets to the consent page without registration', async () => {
    const id = freshId();
    const agent = new McpAgent({ redirect_uris: ['http://localhost:41234/callback'] }, id);
    expect(await auth(agent, { serverUrl: `${cloud.url}/mcp` })).toBe('REDIRECT');
    expect(agent.information).toMatchObject({ client_id: id });
    const response = await fetch(String(agent.opened), { redirect: 'manual' });
    expect(response.headers.get('location')).toContain('/oauth/consent/');
  });

  it('a document is fetched once in some minutes, however often it is named', async () => {
    const id = freshId();
    const first = await Promise.all([authorize(id), authorize(id), authorize(id)]);
    expect([...first, await authorize(id)]).toEqual(Array(4).fill(expect.objectContaining(CONSENT)));
    expect(served).toHaveLength(1);
  });

  it('a document is fetched again when its user takes a long time to consent', async () => {
    const id = freshId();
    const browser = new BrowserJar(cloud);
    const started = await browser.go('GET', authorizationOf(id));
    // The OAuth server forgets documents by the system's clock; keys that change make it forget them at once.
    const pretended = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 6 * 60_000);
    try {
      const request = await browser.go('GET', `${started.headers.get('location')}/request`);
      expect(await request.json()).toMatchObject({
        application: { name: 'Roof watcher', kind: 'agent', published_at: new URL(id).host },
      });
    } finally {
      pretended.mockRestore();
    }
    expect(served).toHaveLength(2);
  });

  it('redirect URIs that are not in the document are refused', async () => {
    const redirect_uri = 'https://evil.example/callback';
    expect(await authorize(freshId(), { redirect_uri })).toMatchObject({ status: 400, location: '' });
  });

  it('agents may request their scopes and no others', async () => {
    const { status, location } = await authorize(freshId(), { scope: 'openid sites:write_all' });
    expect({ status, location }).toEqual({ status: 400, location: '' });
  });

  it.each<[string, (response: ServerResponse, path: string) => void]>([
    ['is of another agent', (response) => document(response, { client_id: 'https://localhost/other.json' })],
    ['has no id', (response) => document(response, {})],
    [
      'publishes a secret',
      (response, path) => document(response, { client_id: `https://localhost${path}`, client_secret: 'x' }),
    ],
    [
      'leads to script',
      (response, path) =>
        document(response, { client_id: `https://localhost${path}`, redirect_uris: ['javascript:alert(1)'] }),
    ],
    ['is a list', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]')],
    ['is no JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{')],
    [
      'says that it is a page',
      (response, path) =>
        document(response, { client_id: `https://localhost${path}` }, { 'content-type': 'text/html' }),
    ],
    ['is not there', (response) => response.writeHead(404).end()],
    [
      'is somewhere else',
      (response) => response.writeHead(302, { location: 'https://inside.example.org/' }).end(),
    ],
    ['is too long', (response) => document(response, { filler: 'x'.repeat(11_000) })],
    ['never comes', () => undefined],
  ])('an agent is refused when its document %s, which is not fetched again at once', async (_, answer) => {
    serve = answer;
    const id = freshId();
    for (const _time of [1, 2]) {
      expect(await authorize(id)).toMatchObject({
        status: 400,
        location: '',
        page: expect.stringContaining('invalid_client'),
      });
    }
    expect(served).toHaveLength(1);
    cloud.clock.advance(31_000);
    serve = (response) => document(response, { client_id: id });
    expect(await authorize(id)).toMatchObject(CONSENT);
  });

  it.each([
    'http://localhost/agent.json',
    'https://localhost:8443/agent.json',
    'https://user@localhost/agent.json',
    'https://127.0.0.1/agent.json',
    'https://2130706433/agent.json',
    'https://0177.0.0.1/agent.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/agent.json',
    'https://[::ffff:10.0.0.1]/agent.json',
    'https://inside.example.org/agent.json',
    'https://metadata.example.org/latest/meta-data',
    'https://both.example.org/agent.json',
    'https://nowhere.example.org/agent.json',
    'https://localhost/a/../agent.json',
    'https://localhost/agent.json#x',
    `https://localhost/${'x'.repeat(2_000)}`,
  ])('the address %s is never fetched, and the answer has no reason', async (id) => {
    const { status, location, page } = await authorize(id);
    expect({ status, location }).toEqual({ status: 400, location: '' });
    expect(page).toMatch(
      /invalid_client: client(?: is invalid|_id metadata document fetch (?:failed|not allowed))</,
    );
    expect(served).toEqual([]);
  });

  it('the log has the reason of a refused fetch', async () => {
    await authorize('https://inside.example.org/a-log.json');
    expect(lines.join('\n')).toContain('inside.example.org has the address 10.0.0.1, which is not public');
  });

  it('fetches of one network are limited with 429, and other networks are served', async () => {
    const from = '198.51.100.9';
    const spent = await Promise.all(
      Array.from({ length: 60 }, (_, index) => authorize(`https://inside.example.org/${index}`, {}, from)),
    );
    expect(new Set(spent.map(({ status }) => status))).toEqual(new Set([400]));
    const { status, headers, page } = await authorize(freshId(), {}, from);
    expect({ status, retry: Number(headers.get('retry-after')) > 0 }).toEqual({ status: 429, retry: true });
    expect(page).toContain('temporarily_unavailable');
    expect(await authorize(freshId())).toMatchObject(CONSENT);
  });
});
