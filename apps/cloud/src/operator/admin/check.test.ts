import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Operator } from '../../../test/operator/admin/operator.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** A reverse proxy before the cloud. @param maxBytes of a body, by its Content-Length, as nginx judges it */
async function startFront(maxBytes: number): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    if (Number(incoming.headers['content-length']) > maxBytes) {
      outgoing.writeHead(413, { server: 'nginx', 'content-type': 'text/html' });
      outgoing.end('<h1>413 Request Entity Too Large</h1>');
      incoming.resume();
      return;
    }
    const { method, headers, url } = incoming;
    const upstream = request(new URL(url ?? '', cloud.url), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      incoming.unpipe(upstream).resume();
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  return await listen(server);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('a check passes where the reverse proxy takes 20 MiB', async () => {
  const url = await startFront(20 * 1024 * 1024);
  expect(await new Operator(cloud.databaseUrl, url).runForJson('check')).toEqual({
    ...{ url, bytes: 16 * 1024 * 1024, passed: true },
  });
});

it('a check names the reverse proxy that takes 1 MiB, and its setting', async () => {
  const url = await startFront(1024 * 1024);
  expect(await new Operator(cloud.databaseUrl, url).run('check')).toEqual({
    code: 1,
    out: '',
    err: expect.stringContaining(
      `${url} refuses a body of 16 MiB (nginx): attachments of tickets and backups of devices do not pass. Set client_max_body_size to 20m in nginx`,
    ),
  });
});

it('a check fails at a server that is not the cloud, and at none', async () => {
  const other = await listen(createServer((_, answer) => void answer.writeHead(401).end('Who is it?')));
  expect((await new Operator(cloud.databaseUrl, other).run('check')).err).toContain(
    `${other} is not answered by the cloud: an upload without a token gets 401`,
  );
  const none = 'http://127.0.0.1:1';
  expect((await new Operator(cloud.databaseUrl, none).run('check')).err).toContain(
    `${none} cannot be reached`,
  );
});
