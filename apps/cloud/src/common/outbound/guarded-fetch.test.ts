import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts';

const OWN_HOST = 'cloud.example.org';

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let requests: IncomingMessage[] = [];

beforeAll(async () => {
  server = createServer({ cert: TEST_TLS.cert, key: TEST_TLS.key }, (request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => inPieces(server).listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** With a server of this machine in place of the internet, at the name that its certificate is for. */
const fetching = (options: GuardedFetchOptions = {}) =>
  new GuardedFetch(() => OWN_HOST, {
    resolve: async () => ['127.0.0.1'],
    allowAddress: () => true,
    ca: TEST_TLS.cert,
    port: (server.address() as AddressInfo).port,
    ...options,
  });

const get = (options?: GuardedFetchOptions) => fetching(options).get('https://localhost/agent.json');

const reasonFor = async (address: string, options: GuardedFetchOptions = {}): Promise<string> => {
  requests = [];
  const error = await new GuardedFetch(() => OWN_HOST, { ca: TEST_TLS.cert, ...options })
    .get(address)
    .catch((thrown: Error) => thrown);
  expect(error).toHaveProperty('name', 'FetchRefused');
  expect(requests).toEqual([]);
  return (error as Error).message;
};

describe('GuardedFetch', () => {
  it('a request has no header that identifies the user', async () => {
    answer = (_request, response) => response.setHeader('content-type', 'application/json').end('{"a":1}');
    requests = [];
    const { status, headers, body } = await get();
    expect({ status, body, type: headers.get('content-type') }).toEqual({
      status: 200,
      body: '{"a":1}',
      type: 'application/json',
    });
    const { method, url, headers: sent } = requests[0] as IncomingMessage;
    expect({ method, url, sent }).toEqual({
      method: 'GET',
      url: '/agent.json',
      sent: { accept: 'application/json', host: 'localhost', connection: 'close' },
    });
  });

  it('messages go one after the other over one connection, whatever the receiver answers', async () => {
    const ports = new Set<number | undefined>();
    answer = ({ socket }, response) => {
      ports.add(socket.remotePort);
      response.write('re');
      response.end('ceived');
    };
    const connection = await fetching().connect('https://localhost/hook');
    const statuses = [await connection.post({}, 'first'), await connection.post({}, 'second')];
    connection.close();
    expect([statuses, ports.size]).toEqual([[200, 200], 1]);
  });

  it('redirects are not followed', async () => {
    answer = (_request, response) => response.writeHead(302, { location: 'https://localhost/other' }).end();
    requests = [];
    expect((await get()).status).toBe(302);
    expect(requests).toHaveLength(1);
  });

  it('a document is not read beyond its limit', async () => {
    answer = (_request, response) => {
      const endless = () => {
        while (response.write(Buffer.alloc(4096, ' ')));
      };
      response.on('drain', endless);
      endless();
    };
    await expect(get()).rejects.toThrow('longer than 10240 bytes');
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['no answer', () => undefined],
    ['an answer that trickles', (response) => response.writeHead(200).write('{')],
  ])('a fetch ends at its deadline: %s', async (_, begin) => {
    answer = (_request, response) => begin(response);
    await expect(get({ deadlineMs: 100 })).rejects.toThrow('took too long');
  });

  it('a name lookup ends at the deadline', async () => {
    const resolve = (_name: string, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    await expect(get({ resolve, deadlineMs: 50 })).rejects.toThrow('took too long');
  });

  it('a certificate for another name, or without a trusted issuer, is refused', async () => {
    const { port } = server.address() as AddressInfo;
    const elsewhere = fetching({ port }).get('https://agent.example.org/agent.json');
    await expect(elsewhere).rejects.toThrow('failed');
    const options = { resolve: async () => ['127.0.0.1'], allowAddress: () => true, port };
    await expect(new GuardedFetch(() => OWN_HOST, options).get('https://localhost/')).rejects.toThrow(
      'failed',
    );
  });
});

describe('GuardedFetch and internal addresses', () => {
  it.each([
    ['http://agent.example.org/', 'no https'],
    ['ftp://agent.example.org/', 'no https'],
    ['file:///etc/passwd', 'no https'],
    ['https://', 'no https'],
    ['https://user:password@agent.example.org/', 'credentials'],
    ['https://agent.example.org:8443/', 'port'],
    ['https://127.0.0.1/', 'is an address'],
    ['https://2130706433/', 'is an address'],
    ['https://0x7f.0.0.1/', 'is an address'],
    ['https://0177.0.0.1/', 'is an address'],
    ['https://127.1/', 'is an address'],
    ['https://169.254.169.254/latest/meta-data', 'is an address'],
    ['https://8.8.8.8/', 'is an address'],
    ['https://[::1]/', 'is an address'],
    ['https://[::ffff:10.0.0.1]/', 'is an address'],
    ['https://[fd00::1]/', 'is an address'],
    ['https://①②⑦.⓪.⓪.①/', 'is an address'],
    [`https://${OWN_HOST}/`, 'the cloud itself'],
    [`https://${OWN_HOST.toUpperCase()}./`, 'the cloud itself'],
  ])('%s is refused before any name is looked up', async (address, reason) => {
    expect(await reasonFor(address, { resolve: () => Promise.reject(new Error('was asked')) })).toContain(
      reason,
    );
  });

  it.each([
    [['10.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['2606:2800::1', '::ffff:10.0.0.1']],
    [['64:ff9b::a00:1']],
  ])('a name that resolves to %j is refused', async (addresses) => {
    const { port } = server.address() as AddressInfo;
    const resolve = async () => addresses;
    expect(await reasonFor('https://localhost/', { resolve, port })).toContain('not public');
  });

  it('a name is resolved once, so that the checked address is the one that is used', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    answer = (_request, response) => response.end('{}');
    requests = [];
    await get({ resolve: async () => answers.shift() ?? [] });
    expect(answers).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  it('names of the local hosts file are refused', async () => {
    const { port } = server.address() as AddressInfo;
    expect(await reasonFor('https://localhost/', { port })).toMatch(/no address|not public/);
  });
});
