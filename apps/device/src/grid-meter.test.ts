import type { DeviceLinks, EnergyAnswer } from '@heliograph/contracts';
import { buildChain, type RegisterServer, recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { connect, type Metric } from 'solar-assistant';
import { afterEach, describe, expect, it } from 'vitest';
import { startShelly } from '../test/drivers/shelly/shelly-server.ts';
import { startWholeDevice, type WholeDevice } from '../test/whole-device.ts';

/** Codes of Eastron's models, in holding register 64514. */
const SDM630 = 112;
const SDM230 = 43;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** A meter of Eastron behind a Modbus TCP gateway. @param floats contents of input registers */
async function startMeter(model: number, floats: Map<number, number>): Promise<RegisterServer> {
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange(_unit, address, count, table = 'holding') {
      const registers = Array.from({ length: count }, (_, index) => address + index);
      return registers.map((register) => {
        if (table === 'holding') return register === 64_514 ? model : 0;
        const bytes = Buffer.alloc(4);
        bytes.writeFloatBE(floats.get(register & ~1) ?? 0);
        return bytes.readUInt16BE(register % 2 === 0 ? 0 : 2);
      });
    },
    write: () => {
      throw new Error('nothing writes to a meter');
    },
  });
  cleanups.push(() => server.stop());
  return server;
}

async function startDevice(connections: string): Promise<WholeDevice> {
  const device = await startWholeDevice(`poll_interval_s: 0.05\nmdns: false\nconnections:\n${connections}`);
  cleanups.push(() => device.stop());
  return device;
}

const entry = ({ port }: RegisterServer, role?: string): string =>
  `  - { driver: eastron, bus: "modbus-tcp://127.0.0.1:${port}"${role === undefined ? '' : `, role: ${role}`} }\n`;

/** The values that a client of the live stream has received, by topic. */
async function streamOf(device: WholeDevice): Promise<ReadonlyMap<string, Metric['value']>> {
  const values = new Map<string, Metric['value']>();
  const socket = await connect({
    host: '',
    localIp: new URL(device.url).host,
    password: 'a device password',
  });
  socket.subscribeMetrics(({ topic, value }) => void values.set(topic, value), [{ topic: '*' }]);
  const listening = socket.listen();
  cleanups.push(async () => {
    socket.close();
    await listening;
  });
  return values;
}

describe('a meter with a role', () => {
  it('a grid meter is the total grid power, in the stream too, and unknown once it is silent', async () => {
    const power = new Map([[52, 1_234.4]]);
    const [grid, pv] = [await startMeter(SDM630, power), await startMeter(SDM230, new Map([[12, 800]]))];
    const device = await startDevice(entry(grid, 'grid') + entry(pv, 'pv'));
    const values = await streamOf(device);
    await expect
      .poll(() => ['grid', 'pv', 'load'].map((name) => values.get(`total/${name}_power`)))
      .toEqual([1234, 800, 2034]);
    expect([values.get('meter_1/power'), values.get('meter_2/power')]).toEqual([1234, 800]);
    power.set(52, -300);
    await expect
      .poll(() => ['total/grid_power', 'total/load_power', 'meter_1/power'].map((topic) => values.get(topic)))
      .toEqual([-300, 500, -300]);
    await grid.stop();
    await expect
      .poll(() =>
        ['total/grid_power', 'total/load_power', 'total/pv_power'].map((topic) => values.get(topic)),
      )
      .toEqual([null, null, 800]);
  });

  it('the counters of the meters of the grid, PV and a battery stand beside the energy that is counted from their power', async () => {
    // Input registers 72 and 74 count kilowatt-hours.
    const meters = { grid: new Map([[52, 1_000]]), pv: new Map([[52, 800]]), battery: new Map([[52, -50]]) };
    const connections: string[] = [];
    for (const [role, registers] of Object.entries(meters)) {
      registers.set(72, 100).set(74, 40);
      connections.push(entry(await startMeter(SDM630, registers), role));
    }
    const device = await startDevice(connections.join(''));
    const from = new Date().toISOString();
    const countersOf = async () =>
      (await device.answer<EnergyAnswer>(`/api/v1/energy?step=hour&from=${from}`)).counters ?? [];
    const countedOf = async () => (await countersOf()).map(({ energy, kwh }) => [energy, kwh]);
    await expect.poll(countedOf).toEqual([
      ['pv', 0],
      ['battery_in', 0],
      ['battery_out', 0],
      ['grid_in', 0],
      ['grid_out', 0],
    ]);
    meters.grid.set(72, 102.5);
    meters.pv.set(72, 101.5);
    meters.battery.set(74, 44);
    await expect.poll(countedOf).toEqual([
      ['pv', 1.5],
      ['battery_in', 0],
      ['battery_out', 4],
      ['grid_in', 2.5],
      ['grid_out', 0],
    ]);
    const imported = (await countersOf()).find(({ energy }) => energy === 'grid_in');
    expect(imported?.difference).toBeLessThan(-2.4);
  });

  it('a Shelly with a password is the total grid power', async () => {
    const shelly = await startShelly({
      answers: new Map<string, unknown>([
        ['/shelly', { mac: '08F9E0E67204', gen: 2, app: 'Pro3EM', ver: '1.4.4' }],
        ['/rpc/EM.GetStatus?id=0', { total_act_power: -412.4, a_voltage: 231, a_freq: 50 }],
      ]),
      password: { scheme: 'digest', text: 'geheim' },
    });
    cleanups.push(() => shelly.stop());
    const device = await startDevice(
      `  - { driver: shelly, bus: "${shelly.bus}", role: grid, options: { password: geheim } }\n`,
    );
    const values = await streamOf(device);
    await expect
      .poll(() => ['power', 'voltage', 'frequency'].map((name) => values.get(`total/grid_${name}`)))
      .toEqual([-412, 231, 50]);
  });

  it('a connection with a role that has no meter is failing with the reason, and its total unknown', async () => {
    const chain = buildChain([
      { id: 1, values: { Mn: 'Maker' } },
      { id: 103, values: { W: 500, W_SF: 0 } },
    ]);
    const inverter = await startRegisterServer({ host: '127.0.0.1', port: 0, ...recordedBank(chain) });
    cleanups.push(() => inverter.stop());
    const device = await startDevice(entry(inverter, 'grid').replace('eastron', 'sunspec'));
    await expect
      .poll(async () => (await device.answer<DeviceLinks>('/api/v1/links')).connections[0])
      .toMatchObject({ state: 'failing', error: expect.stringContaining('take the role grid out') });
    const values = await streamOf(device);
    await expect.poll(() => values.has('total/grid_power')).toBe(true);
    expect(values.get('total/grid_power')).toBeNull();
  });

  it('a meter without a role only has topics of its own', async () => {
    const device = await startDevice(entry(await startMeter(SDM630, new Map([[52, 700]]))));
    const values = await streamOf(device);
    await expect.poll(() => values.get('meter_1/power')).toBe(700);
    expect([...values.keys()].filter((topic) => topic.startsWith('total/'))).toEqual([]);
  });
});
