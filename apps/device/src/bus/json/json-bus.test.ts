import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { inPieces } from '@heliograph/dev/in-pieces';
import { systemClock } from '@heliograph/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { parseBusAddress } from '../address.ts';
import { LinkDown } from '../failures.ts';
import { openJsonBus } from '../open-bus.ts';
import { type HttpLogin, HttpRefusal, type JsonBus } from './json-bus.ts';
import { digestAuthorization, digestChallenge } from './json-client.ts';

let server: Server | undefined;
let bus: JsonBus | undefined;

afterEach(async () => {
  await bus?.close();
  server?.close();
  server?.closeAllConnections();
});

async function serve(answer: RequestListener): Promise<JsonBus> {
  server = createServer(answer);
  inPieces(server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  bus = openJsonBus(parseBusAddress(`http://127.0.0.1:${port}`), systemClock, { answerTimeoutMs: 300 });
  return bus;
}

const LOGIN: HttpLogin = { username: 'admin', password: 'p', scheme: 'digest' };

describe('a bus of HTTP', () => {
  it('a path is requested from the configured host, and its JSON is returned', async () => {
    const seen: unknown[] = [];
    const json = await serve(async ({ method, url, headers: { host, authorization } }, response) => {
      seen.push([method, url, host, authorization]);
      const answer = Buffer.from('{"name":"Außen, 25 °C","power":1.5}');
      // In two pieces, within the degree sign.
      const cut = answer.indexOf('°') + 1;
      response.write(answer.subarray(0, cut));
      await wait(5);
      response.end(answer.subarray(cut));
    });
    expect(await json.get('/emeter/0?a=b')).toEqual({ name: 'Außen, 25 °C', power: 1.5 });
    expect(seen).toEqual([['GET', '/emeter/0?a=b', new URL(json.name).host, undefined]]);
    expect(json.traffic).toMatchObject({ requests: 1, answered: 1, silent: 0 });
    expect(json.roundTripMs).toBeGreaterThan(0);
  });

  it('requests are made one after the other', async () => {
    let open = 0;
    let most = 0;
    const json = await serve(async (_request, response) => {
      open += 1;
      most = Math.max(most, open);
      await wait(5);
      open -= 1;
      response.end('1');
    });
    expect(await Promise.all(['/a', '/b', '/c'].map((path) => json.get(path)))).toEqual([1, 1, 1]);
    expect(most).toBe(1);
  });

  it.each([301, 302, 307, 404, 500])(
    'the status %s is a refusal, and a redirect is not followed',
    async (status) => {
      const paths: unknown[] = [];
      const json = await serve(({ url }, response) => {
        paths.push(url);
        response.writeHead(status, { location: '/elsewhere' }).end('{}');
      });
      await expect(json.get('/here')).rejects.toThrow(HttpRefusal);
      expect(paths).toEqual(['/here']);
    },
  );

  it('an answer that is not JSON is requested once more, and then the link is down', async () => {
    let requests = 0;
    const json = await serve((_request, response) => {
      requests += 1;
      response.end('<html>');
    });
    await expect(json.get('/')).rejects.toThrow(LinkDown);
    expect(requests).toBe(2);
  });

  it('an answer without an end is cut off at its size', async () => {
    const json = await serve((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, '1')));
      };
      response.on('drain', more);
      more();
    });
    await expect(json.get('/')).rejects.toThrow(/more than 65536 bytes/);
  });

  it('hardware that keeps silent, also in the middle of its answer, is down by the deadline', async () => {
    const json = await serve(({ url }, response) => {
      if (url === '/half') response.write('{');
    });
    await expect(json.get('/half')).rejects.toThrow(/no answer within 300 ms/);
    await expect(json.get('/none')).rejects.toThrow(/no answer within 300 ms/);
    expect(json.traffic.silent).toBe(2);
  });

  it('a host that nothing listens on is down without a request', async () => {
    const json = await serve(() => undefined);
    server?.close();
    await expect(json.get('/')).rejects.toThrow(LinkDown);
    expect(json.traffic.requests).toBe(0);
  });

  it('a bus that is closed ends the request under way', async () => {
    const arrived = Promise.withResolvers<void>();
    const json = await serve(() => arrived.resolve());
    const request = json.get('/');
    const refused = expect(request).rejects.toThrow(LinkDown);
    await arrived.promise;
    await json.close();
    await refused;
  });

  it('a password of the digest scheme is never sent as it is, whatever the hardware asks for', async () => {
    const seen: unknown[] = [];
    const json = await serve(({ headers: { authorization } }, response) => {
      seen.push(authorization);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    });
    await expect(json.get('/', LOGIN)).rejects.toMatchObject({ status: 401 });
    expect(seen).toEqual([undefined]);
  });

  it('frames of the bus hold paths and sizes alone, neither bodies nor passwords', async () => {
    const json = await serve(({ headers: { authorization } }, response) => {
      if (authorization === undefined) response.writeHead(401).end();
      else response.end('{"ssid":"home"}');
    });
    await json.get('/status', { ...LOGIN, scheme: 'basic' });
    const frames = json.traffic.lastFrames.map(({ bytes }) => Buffer.from(bytes).toString());
    expect(frames).toEqual(['GET /status', '401, 0 characters', 'GET /status', '200, 15 characters']);
  });
});

describe('digest authentication', () => {
  // RFC 7616, section 3.9.1.
  const challenge = (algorithm: string) =>
    digestChallenge(
      `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
        'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", ' +
        'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
    );
  const login: HttpLogin = { username: 'Mufasa', password: 'Circle of Life', scheme: 'digest' };

  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('a challenge of the standard is answered with its response by %s', (algorithm, response) => {
    const parameters = challenge(algorithm);
    if (parameters === undefined) throw new Error('the challenge is not understood');
    const nonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
    const header = digestAuthorization(parameters, login, '/dir/index.html', 1, nonce);
    expect(header).toContain(`response="${response}"`);
    expect(header).toContain('nc=00000001');
    expect(header).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"');
  });

  it.each([
    'Basic realm="x"',
    'Digest realm="x", nonce="n"',
    'Digest realm="x", nonce="n", qop="auth-int"',
    'Digest realm="x", qop="auth"',
    'Digest realm="x", nonce="n", qop="auth", algorithm=SHA-512-256',
    'Digest realm="a\\"b", nonce="n", qop="auth"',
  ])('the challenge %s is not answered', (header) => {
    expect(digestChallenge(header)).toBeUndefined();
  });
});
