import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { UPLINK_TIMES } from '@heliograph/device/uplink-times';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { startDeviceProcess } from '../device/device-process.ts';
import type { HardwareFacts } from '../device/hardware.ts';
import { freePort } from '../programs.ts';
import { startProxyProcess } from '../proxy-process.ts';
import { quantile } from '../quantile.ts';
import { reportLimit } from '../report-limit.ts';
import { SITE_ID, StandInCloud } from '../stand-in-cloud.ts';
import { Network } from './relay.ts';

const REQUESTS = 64;
const ROUNDS = 5;
const PATH = '/api/v1/metrics?topic=total/*';
/** Requests before anything counts, so that code is compiled; the home is cold again after them. */
const WARM_UP_BURSTS = 10;
/** From the home to its proxy, one way, in milliseconds. */
const DELAYS_MS = [0, 20];
/** The most that the last answer may take, as a multiple of the plain proxy's, which opens a connection for each request. */
const LAST_LIMIT = 2;
const UP_TIMEOUT_MS = 60_000;
/** A device waits longer each time that a tunnel was lost before it had lasted this long. */
const APART_MS = UPLINK_TIMES.stableMs + 1_000;

type Headers = Readonly<Record<string, string>>;

export const bench: Bench = {
  description: `${REQUESTS} requests together for a home that had none: until the first and the last answer, against a plain Node reverse proxy`,
  async run() {
    const verdicts: boolean[] = [];
    for (const delayMs of DELAYS_MS) {
      const plainMs = await measurePlain(delayMs);
      const oursMs = await measureOurs(delayMs, false);
      if (delayMs > 0) await measureOurs(delayMs, true);
      verdicts.push(
        reportLimit(
          oursMs <= LAST_LIMIT * plainMs,
          `${delayMs} ms to the home: the last answer after ${(oursMs / plainMs).toFixed(2)} times the plain proxy's time (at most ${LAST_LIMIT})\n`,
        ),
      );
    }
    return verdicts.every(Boolean);
  },
};

/** @param isTls whether proxy and device, and proxy and clients, have TLS between them */
async function measureOurs(delayMs: number, isTls: boolean): Promise<number> {
  await using undo = new AsyncDisposableStack();
  const cloud = undo.use(await StandInCloud.start());
  const port = await freePort();
  const network = undo.use(await Network.start(port, delayMs));
  const { certPath, keyPath } = TEST_TLS;
  undo.use(
    await startProxyProcess(cloud.url, {
      PROXY_PORT: String(port),
      PROXY_URL: `http${isTls ? 's' : ''}://127.0.0.1:${network.port}`,
      ...(isTls ? { PROXY_TLS_CERT: certPath, PROXY_TLS_KEY: keyPath } : {}),
    }),
  );
  const { hardware } = await startHardware(undo);
  undo.use(
    await startDeviceProcess(hardware.homes, 'server', {
      cloudUrl: cloud.url,
      logLevel: 'error',
      ...(isTls ? { trustedPath: certPath } : {}),
    }),
  );
  await cloud.untilAnnounced(1);
  const { token, siteId, siteKey } = await cloud.authorize(SITE_ID);
  const headers = { authorization: `Bearer ${token}`, 'site-id': String(siteId), 'site-key': siteKey };
  // The proxy's own address is that of the network, which clients do not pass.
  const url = `http${isTls ? 's' : ''}://127.0.0.1:${port}`;
  return await measure(`our proxy${isTls ? ' with TLS' : ''}`, url, headers, network, async () => {
    const { opened } = network;
    await delay(APART_MS);
    network.cut();
    while (network.opened === opened) await delay(10);
    await untilTunnel(url);
  });
}

async function measurePlain(delayMs: number): Promise<number> {
  await using undo = new AsyncDisposableStack();
  const { hardware } = await startHardware(undo);
  const cloud = undo.use(await StandInCloud.start());
  const proxy = undo.use(await startProxyProcess(cloud.url));
  const device = undo.use(
    await startDeviceProcess(hardware.homes, 'server', { cloudUrl: cloud.url, logLevel: 'error' }),
  );
  await cloud.untilAnnounced(1);
  const { token, siteId, siteKey } = await cloud.authorize(SITE_ID);
  const headers = { authorization: `Bearer ${token}`, 'site-id': String(siteId), 'site-key': siteKey };
  await untilTunnel(proxy.url);
  const network = undo.use(await Network.start(Number(new URL(device.url).port), delayMs));
  const plain = await startChild<{ url: string }>(join(import.meta.dirname, '../proxy/plain-proxy.ts'), {
    args: [`http://127.0.0.1:${network.port}`],
  });
  undo.defer(async () => plain.process.disconnect());
  return await measure('plain proxy', plain.message.url, headers, network, async () => network.cut());
}

async function startHardware(undo: AsyncDisposableStack): Promise<{ hardware: HardwareFacts }> {
  const child = await startChild<HardwareFacts>(join(import.meta.dirname, '../device/hardware.ts'));
  undo.defer(async () => child.process.disconnect());
  return { hardware: child.message };
}

/** @param makeCold cuts the home's connections, and resolves once it can be reached again */
async function measure(
  name: string,
  url: string,
  headers: Headers,
  network: Network,
  makeCold: () => Promise<void>,
): Promise<number> {
  for (let count = 0; count < WARM_UP_BURSTS; count++) await burst(url, headers);
  const first: number[] = [];
  const last: number[] = [];
  const opened: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await makeCold();
    const before = network.opened;
    const times = await burst(url, headers);
    first.push(Math.min(...times));
    last.push(Math.max(...times));
    opened.push(network.opened - before);
  }
  const median = (values: readonly number[]): number => quantile(values, 0.5);
  console.log(
    `  ${name.padEnd(20)} first answer after ${median(first).toFixed(1)} ms, last after ${median(last).toFixed(1)} ms, ` +
      `${median(opened)} connections opened to the home or by it`,
  );
  return median(last);
}

/** @returns when each was answered, in milliseconds */
async function burst(url: string, headers: Headers): Promise<readonly number[]> {
  const began = performance.now();
  return await Promise.all(
    Array.from({ length: REQUESTS }, async () => {
      const answer = await send(url + PATH, { headers });
      const body = await text(answer);
      if (answer.statusCode !== 200) throw new Error(`a request is answered ${answer.statusCode}: ${body}`);
      return performance.now() - began;
    }),
  );
}

async function untilTunnel(url: string): Promise<void> {
  const deadline = performance.now() + UP_TIMEOUT_MS;
  while (!/^heliograph_proxy_tunnels 1$/m.test(await text(await send(`${url}/metrics`, {})))) {
    if (performance.now() > deadline) throw new Error('the device does not come back');
    await delay(50);
  }
}

async function send(url: string, options: RequestOptions): Promise<IncomingMessage> {
  const call = url.startsWith('https:')
    ? requestTls(url, { ...options, agent: false, ca: TEST_TLS.cert })
    : request(url, { ...options, agent: false });
  const [answer] = (await once(call.end(), 'response')) as [IncomingMessage];
  return answer;
}
