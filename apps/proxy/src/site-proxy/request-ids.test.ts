import type { IncomingHttpHeaders } from 'node:http';
import { createLogger } from '@heliograph/kit';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { rawExchange } from '../../test/raw-request.ts';
import { siteHeaders } from '../../test/test-cloud.ts';
import { startTestSystem, type TestSystem } from '../../test/test-system.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE_ID}-${CALLER}-01`;

interface Line {
  readonly msg: string;
  readonly requestId?: string;
}

let system: TestSystem;
let received: IncomingHttpHeaders[];
afterEach(() => system.stop());

/** A system whose device keeps the headers of its requests and answers an id of its own. */
async function start(status = 200, level = 'debug'): Promise<{ lines: Line[] }> {
  const lines: Line[] = [];
  received = [];
  const logger = createLogger('proxy', level, { write: (line) => lines.push(JSON.parse(line)) });
  system = await startTestSystem({ logger });
  await system.connectDevice(1, (stream, headers) => {
    received.push(headers);
    if (headers.upgrade === 'websocket') {
      stream.respond({ ':status': 200 });
      return;
    }
    stream.respond({ ':status': status, 'content-type': 'text/plain', 'x-request-id': 'of-the-device' });
    stream.end('here');
  });
  return { lines };
}

test('the trace of a client goes on to the device, and its id to the client and the log', async () => {
  const { lines } = await start();
  const headers = { traceparent: TRACEPARENT, tracestate: 'vendor=1' };
  const answer = await system.fetch('/api/v1/metrics?token=secret', await system.cloud.authorize(1), {
    headers,
  });
  expect(answer.headers.get('x-request-id')).toBe(TRACE_ID);
  await answer.text();
  const [{ traceparent, tracestate } = {}] = received;
  expect(traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-[\\da-f]{16}-01$`));
  expect(traceparent).not.toContain(CALLER);
  expect(tracestate).toBe('vendor=1');
  await expect.poll(() => lines.filter(({ msg }) => msg === 'request')).toHaveLength(1);
  expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({
    requestId: TRACE_ID,
    method: 'GET',
    route: '/api/v1/metrics',
    status: 200,
    answeredBy: 'device',
  });
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test.each([
  ['none', undefined],
  ['one of zeros', `00-${'0'.repeat(32)}-${CALLER}-01`],
  ['one of another version with the wrong length', `00-${TRACE_ID}-${CALLER}-01-more`],
  ['an invalid version', `ff-${TRACE_ID}-${CALLER}-01`],
  ['capital letters', TRACEPARENT.toUpperCase()],
  ['any text', 'x'.repeat(5_000)],
])('a request whose traceparent is %s gets an id of its own', async (_name, traceparent) => {
  await start();
  const headers = traceparent === undefined ? {} : { traceparent, tracestate: 'vendor=1' };
  const answer = await system.fetch('/api/v1/metrics', await system.cloud.authorize(1), { headers });
  const id = answer.headers.get('x-request-id');
  expect(id).toMatch(/^[\da-f]{32}$/);
  expect(id).not.toBe(TRACE_ID);
  expect(received[0]?.traceparent).toContain(id);
  expect(received[0]?.tracestate).toBeUndefined();
});

test('a refusal of the proxy has an id', async () => {
  await start();
  const refused = await fetch(`${system.proxy.url}/api/v1/metrics`, {
    headers: { traceparent: TRACEPARENT },
  });
  expect([refused.status, refused.headers.get('x-request-id')]).toEqual([401, TRACE_ID]);
  expect(refused.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
});

test('a WebSocket passes its trace on', async () => {
  await start();
  const headers = { ...siteHeaders(await system.cloud.authorize(1)), traceparent: TRACEPARENT };
  const socket = new WebSocket(`ws://${system.proxy.host}/api/websocket`, { headers });
  const answered = new Promise<IncomingHttpHeaders>((resolve) =>
    socket.once('upgrade', (response) => resolve(response.headers)),
  );
  expect((await answered)['x-request-id']).toBe(TRACE_ID);
  expect(received[0]?.traceparent).toContain(TRACE_ID);
  socket.terminate();
});

test('a failed request has a line at the level info, and others have none', async () => {
  const { lines } = await start(502, 'info');
  const credentials = await system.cloud.authorize(1);
  await (await system.fetch('/unknown/secret', credentials)).text();
  await expect
    .poll(() => lines.filter(({ msg }) => msg === 'request'))
    .toMatchObject([{ method: 'GET', route: null, status: 502, answeredBy: 'device' }]);
  await (await system.fetch('/api/v1/metrics', await system.cloud.authorize(99))).text();
  expect(JSON.stringify(lines)).not.toContain('/unknown/secret');
  expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(1);
});

test.each([
  ['a preflight', 'OPTIONS /api/v1/metrics', ['Host: x', 'Origin: https://a.example'], 204],
  ['a path of the proxy', 'GET /healthz', ['Host: x'], 200],
  ['a page request at the host of a site', 'GET /', ['Host: home.eu.example.org', 'Accept: text/html'], 404],
])('the answer to %s has an id', async (_name, line, headers, status) => {
  system = await startTestSystem({}, { regionDomain: 'eu.example.org' });
  const head = [`${line} HTTP/1.1`, ...headers, `traceparent: ${TRACEPARENT}`, 'Connection: close', '', ''];
  const answer = await rawExchange(system.proxy.url, head.join('\r\n'));
  expect(answer).toContain(`HTTP/1.1 ${status} `);
  expect(answer.toLowerCase()).toContain(`x-request-id: ${TRACE_ID}`);
});
