import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { startDeviceProcess } from '../device/device-process.ts';
import { installed } from '../programs.ts';
import { startProxyProcess } from '../proxy-process.ts';
import { quantile } from '../quantile.ts';
import { reportLimit } from '../report-limit.ts';
import { SITE_ID, StandInCloud } from '../stand-in-cloud.ts';
import { connectClients } from './clients.ts';
import type { HardwareFacts } from './hardware.ts';
import { MOSQUITTO } from './mosquitto.ts';
import { bareRoute, mosquittoRoute, type Route, streamRoute } from './routes.ts';
import { benchStalled } from './stalled.ts';

const CLIENTS = 1_000;
const ROUNDS = 3;
const ROUND_S = 15;
/** The connections of a round have so long to close before the next. */
const PAUSE_S = 1;
const P99_LIMIT_MS = 100;

export const bench: Bench = {
  description: `one device's stream to ${CLIENTS} clients through the proxy, against Mosquitto; stalled readers beside them`,
  async run() {
    const withMosquitto = installed([MOSQUITTO]).length > 0;
    await using undo = new AsyncDisposableStack();
    const cloud = undo.use(await StandInCloud.start());
    const proxy = undo.use(await startProxyProcess(cloud.url));
    const hardware = await startChild<HardwareFacts>(join(import.meta.dirname, 'hardware.ts'));
    undo.defer(async () => hardware.process.disconnect());
    const device = undo.use(
      await startDeviceProcess([hardware.message.modbus], 'server', { cloudUrl: cloud.url }),
    );
    await cloud.untilAnnounced(1);
    const ours = streamRoute(proxy.host, await cloud.authorize(SITE_ID));

    const first = await watch(ours);
    const { message } = first;
    if (message === '') throw new Error('nothing came from the device');
    console.log(
      `${message.split('"topic"').length - 1} values, ${first.messageBytes} bytes, once a second to ${CLIENTS} clients; ` +
        `medians of ${ROUNDS} rounds of ${ROUND_S} s, ms from the device's reading to the client\n`,
    );
    const bare = undo.use(await bareRoute({ message }));
    const routes: Record<string, Route> = { 'our proxy': ours, 'bare server': bare };
    if (withMosquitto) routes.mosquitto = undo.use(await mosquittoRoute({ message }));
    const rows = await measure(routes);
    const p99Ms = rows['our proxy'] ?? Number.NaN;
    for (const [name, p99] of Object.entries(rows)) {
      if (name !== 'our proxy') console.log(`  ${(p99Ms / p99).toFixed(2)} times the p99 of the ${name}`);
    }
    const fanOut = reportLimit(p99Ms < P99_LIMIT_MS, `p99 ${p99Ms.toFixed(1)} ms (below ${P99_LIMIT_MS})\n`);
    const stalled = await benchStalled(ours, { proxy: proxy.pid, device: device.pid }, P99_LIMIT_MS);
    return fanOut && stalled;
  },
};

async function watch(route: Route) {
  const clients = await connectClients({ ...route, count: CLIENTS });
  const report = await clients.watch(ROUND_S);
  clients[Symbol.dispose]();
  await delay(PAUSE_S * 1000);
  return report;
}

/** The routes take turns. @returns each one's p99 */
async function measure(routes: Readonly<Record<string, Route>>): Promise<Record<string, number>> {
  const results = Object.entries(routes).map(([name, route]) => ({
    name,
    route,
    p50: [0],
    p99: [0],
    max: [0],
  }));
  for (const result of results) for (const column of ['p50', 'p99', 'max'] as const) result[column] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, route, p50, p99, max } of results) {
      const { delaysMs, lost } = await watch(route);
      if (lost > 0) throw new Error(`${lost} connections were lost by way of ${name}`);
      if (delaysMs.length < CLIENTS * (ROUND_S - 2)) throw new Error(`only ${delaysMs.length} values came`);
      p50.push(quantile(delaysMs, 0.5));
      p99.push(quantile(delaysMs, 0.99));
      max.push(quantile(delaysMs, 1));
    }
  }
  const cell = (text: string): string => text.padStart(10);
  console.log(`${''.padEnd(16)}${['p50', 'p99', 'worst'].map(cell).join('')}`);
  return Object.fromEntries(
    results.map(({ name, p50, p99, max }) => {
      const medians = [p50, p99, max].map((values) => quantile(values, 0.5));
      console.log(`  ${name.padEnd(14)}${medians.map((value) => cell(value.toFixed(1))).join('')}`);
      return [name, medians[1] ?? Number.NaN];
    }),
  );
}
