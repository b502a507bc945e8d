import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { installed } from '../programs.ts';
import { reportLimit } from '../report-limit.ts';
import { proportionalMb } from '../usage.ts';
import { describeAnswer, measure, type ProxiedRoute, warmUp } from './measure.ts';
import { printRoutes, type RouteRow } from './route-table.ts';
import { bootSystem } from './system.ts';
import { RIVALS, startTunnel } from './tunnels.ts';

/** 3.8 KB, the totals that a page of a home reads, and 16 KB, everything. */
const PATHS = ['/api/v1/metrics?topic=total/*', '/api/v1/metrics'];
const CONNECTIONS = [1, 32];
/** The most that a read may cost of proxy and device together, as a multiple of the plain proxy's, with {@link LIMITED}. */
const PROCESSOR_LIMIT = 1.3;
/** Rates and the slowest answers of a shared machine say more of its other work, and have no limit. */
const LIMITED = { path: PATHS[0], connections: 32 };

const PLAIN = 'plain proxy';
const OURS = 'our proxy';
const FRP = 'frp';

export const bench: Bench = {
  description:
    'reads through the proxy: processor time of proxy and device, against a plain Node reverse proxy, frp, chisel and rathole',
  async run() {
    const rivals = installed(RIVALS);
    await using undo = new AsyncDisposableStack();
    const system = undo.use(await bootSystem());
    const { deviceUrl, headers, pids } = system;
    const plain = await startChild<{ url: string }>(join(import.meta.dirname, 'plain-proxy.ts'), {
      args: [deviceUrl],
    });
    undo.defer(async () => plain.process.disconnect());
    const routes: ProxiedRoute[] = [
      { name: 'device', url: deviceUrl, pids: [] },
      { name: PLAIN, url: plain.message.url, pids: [plain.process.pid ?? Number.NaN] },
      { name: OURS, url: system.proxyUrl, pids: [pids.proxy] },
    ];
    for (const rival of rivals) {
      const { url, pids } = undo.use(await startTunnel(rival, deviceUrl));
      routes.push({ name: rival.name, url, pids });
    }
    await warmUp(routes, PATHS, headers);
    let limited: { ours: RouteRow; plain: RouteRow } | undefined;
    for (const path of PATHS) {
      const answer = await describeAnswer(routes, path, headers);
      for (const connections of CONNECTIONS) {
        const rows = await measure({ routes, path, headers, connections, devicePid: pids.device });
        printRoutes(`${answer}, ${connections} connection${connections === 1 ? '' : 's'}`, rows, [
          PLAIN,
          FRP,
        ]);
        const [ours, peer] = [OURS, PLAIN].map((wanted) => rows.find(({ name }) => name === wanted));
        const isLimited = path === LIMITED.path && connections === LIMITED.connections;
        if (isLimited && ours !== undefined && peer !== undefined) limited = { ours, plain: peer };
      }
    }
    console.log(
      `after the load: proxy ${proportionalMb(pids.proxy).toFixed(0)} MB, device ${proportionalMb(pids.device).toFixed(0)} MB\n`,
    );
    const ratio = (limited?.ours.sumUs ?? Number.NaN) / (limited?.plain.sumUs ?? Number.NaN);
    return reportLimit(
      ratio <= PROCESSOR_LIMIT,
      `a read at ${LIMITED.connections} connections costs proxy and device ${limited?.ours.sumUs.toFixed(0)} µs, ` +
        `${ratio.toFixed(2)} times the ${limited?.plain.sumUs.toFixed(0)} µs of plain proxy and device (at most ${PROCESSOR_LIMIT})`,
    );
  },
};
