import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChild } from '../child.ts';
import { PROXY_NAME } from '../proxy-process.ts';
import { StandInCloud } from '../stand-in-cloud.ts';
import type { BusyClientsOrder } from './busy-clients.ts';
import type { BusyHomesOrder } from './busy-homes.ts';
import { type Front, growthKib, startFrontedProxy } from './front.ts';

const HOMES = 200;
const REQUESTS = 4;
const SETTLE_MS = 10_000;
const BUSY_MS = 20_000;

/** Prints what a home takes while clients read it, with their connections. */
export async function measureBusyHomes(front: Front): Promise<void> {
  await using cloud = await StandInCloud.start();
  await using proxy = await startFrontedProxy(cloud.url, front);
  await using undo = new AsyncDisposableStack();
  const siteIds = Array.from({ length: HOMES }, (_, index) => index + 1);
  const homes: BusyHomesOrder = {
    proxyUrl: proxy.url,
    tokens: await Promise.all(siteIds.map((id) => cloud.tunnelToken(`device-${id}`, id, PROXY_NAME))),
    ca: proxy.ca,
  };
  const devices = await startChild(join(import.meta.dirname, 'busy-homes.ts'), { order: homes });
  undo.defer(async () => devices.process.disconnect());
  await cloud.untilAnnounced(HOMES);
  await delay(SETTLE_MS);
  const idle = proxy.memoryMb();
  const order: BusyClientsOrder = {
    proxyUrl: proxy.url,
    credentials: await Promise.all(siteIds.map((id) => cloud.authorize(id))),
    requests: REQUESTS,
    ca: proxy.ca,
  };
  const clients = await startChild(join(import.meta.dirname, 'busy-clients.ts'), { order });
  // Before the homes, whose end would be an error to them.
  undo.defer(async () => void clients.process.kill('SIGKILL'));
  await delay(BUSY_MS);
  console.log(
    `  ${front}: ${growthKib(idle, proxy.memoryMb(), HOMES).text} KiB more for a busy home: ` +
      `${REQUESTS} requests under way and a stream, with the connections of their ${REQUESTS + 1} clients`,
  );
}
