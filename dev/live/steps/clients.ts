import { equal, match, ok } from 'node:assert/strict';
import { Socket as PhoenixSocket } from 'phoenix';
import { connect, getMetrics, SolarAssistantClient } from 'solar-assistant';
import WebSocket from 'ws';
import type { Live } from '../live.ts';
import type { Step } from '../step.ts';
import { until } from '../until.ts';

const RESERVE = 'inverter_1/battery_reserve';

export const clients: Step = {
  name: 'clients',
  title:
    'the command line, the client package, solar-assistant and phoenix read, follow, write and read back',
  async run(live) {
    await commandLine(live);
    await clientPackage(live);
    await solarAssistant(live);
    await phoenix(live);
  },
};

async function commandLine(live: Live): Promise<void> {
  match(await live.heliograph(['sites']), /demo/);
  match(await live.heliograph(['metrics', 'demo', '-t', 'total/*']), /total\/pv_power/);
  await live.heliograph(['set', 'demo', RESERVE, '25']);
  equal(await live.device().value(RESERVE), '25');
}

/** Through the proxy. */
async function clientPackage(live: Live): Promise<void> {
  const cloud = await live.signedIn();
  const device = await cloud.device(live.system.run.site.id);
  const rows = await device.metrics({ topic: 'total/*' });
  ok(rows.some(({ topic, value }) => topic === 'total/load_power' && typeof value === 'number'));
  const watch = new AbortController();
  let changes = 0;
  const stream = device.stream({
    topics: ['total/*'],
    signal: watch.signal,
    onMetrics: (changed) => (changes += changed.length),
  });
  await until('the stream brought values', () => changes > 20);
  watch.abort();
  await stream.ended;
  await device.set(RESERVE, 30);
  equal(await device.value(RESERVE), '30');
  await cloud.signOut();
}

async function solarAssistant({ system: { run } }: Live): Promise<void> {
  const localIp = new URL(run.device.url).host;
  const { password } = run.device;
  const client = new SolarAssistantClient({ apiKey: run.account.api_token, baseUrl: run.cloud.url });
  const [site] = await client.listSites({ limit: 1 });
  equal(site?.id, run.site.id);
  const { token } = await client.authorizeSite(run.site.id);
  const read = await getMetrics({ host: localIp, password, topic: 'battery*' });
  ok(read.some(({ topic }) => topic === 'battery_1/state_of_charge'));
  const socket = await connect({ host: localIp, localIp, token });
  const topics = new Set<string>();
  socket.subscribeMetrics(({ topic }) => topics.add(topic));
  const ended = socket.listen();
  await until('solar-assistant received live values', () => topics.has('total/pv_power'));
  socket.close();
  await ended;
}

/** At the proxy, where a client names its site in headers. */
async function phoenix(live: Live): Promise<void> {
  const { run } = live.system;
  const { host, token, site_id, site_key } = await live.owner().authorizeSite({ id: run.site.id });
  const headers = { 'site-id': `${site_id}`, 'site-key': site_key };
  class SiteWebSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers });
    }
  }
  const socket = new PhoenixSocket(`ws://${host}/api`, { transport: SiteWebSocket, params: { token } });
  socket.connect();
  const channel = socket.channel('metrics', { topics: [{ topic: 'total/*' }] });
  const events = new Set<string>();
  for (const event of ['definition', 'data', 'set_result']) {
    channel.on(event, () => {
      events.add(event);
    });
  }
  channel.join();
  await until('phoenix received live values', () => events.has('definition') && events.has('data'));
  channel.push('set', { topic: RESERVE, value: '20' });
  await until('phoenix received the result of its write', () => events.has('set_result'));
  socket.disconnect();
  equal(await live.device().value(RESERVE), '20');
}
