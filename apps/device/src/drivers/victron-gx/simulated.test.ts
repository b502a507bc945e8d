import { startRegisterServer } from '@heliograph/dev/modbus';
import { simulatedHome } from '@heliograph/dev/plant';
import { GxRegisters } from '@heliograph/dev/plant/victron-gx';
import { ManualClock } from '@heliograph/kit';
import type { MetricValue, Quantity } from '@heliograph/metrics';
import { afterEach, describe, expect, it } from 'vitest';
import { modbusTcpBus } from '../../../test/bus/modbus-tcp-bus.ts';
import type { Hardware } from '../driver.ts';
import { victronGx } from './family.ts';

const NOON = Date.UTC(2026, 5, 21, 12);
const MIDNIGHT = Date.UTC(2026, 5, 21, 0);

const running: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

async function simulate(nowMs: number) {
  const clock = new ManualClock(nowMs);
  const plant = simulatedHome(clock);
  const bank = new GxRegisters(plant, {
    serialNumber: 'c0619ab00001',
    monotonic: () => clock.monotonic(),
  });
  const { readRange, write } = bank;
  const server = await startRegisterServer({ host: '127.0.0.1', port: 0, readRange, write });
  running.push(() => server.stop());
  const bus = modbusTcpBus({ host: server.host, port: server.port });
  running.push(() => bus.close());
  const hardware = await victronGx.open(bus, { unit: undefined, options: {} });
  return { clock, plant, hardware };
}

async function read(hardware: Hardware, unit = 0): Promise<Record<string, MetricValue>> {
  return Object.fromEntries((await hardware.poll())[unit] ?? []);
}

describe('a simulated GX', () => {
  it('the GX is one inverter and one battery with the powers of the home', async () => {
    const { plant, hardware } = await simulate(NOON);
    expect(hardware.units).toMatchObject([
      { kind: 'inverters', model: 'Victron GX' },
      { kind: 'batteries', model: null },
    ]);
    const [system, battery] = [await read(hardware), await read(hardware, 1)];
    const { pvW, batteryW, gridW, gridPhasesW, houseW, loadW, batteryV, batteryA } = plant.reading;
    expect(system).toMatchObject({
      'Serial number': 'c0619ab00001',
      'Active input': 'Grid',
      'PV power': pvW[0] + pvW[1],
      'PV power 1': pvW[0],
      'PV power 2': pvW[1],
      'Battery power': batteryW,
      'Grid power': gridW,
      'Grid power 2': gridPhasesW[1],
      'Load power': loadW,
      'Load power essential': houseW,
      'Load power non-essential': 0,
    });
    expect(battery).toMatchObject({ Power: batteryW, Capacity: 200, 'State of health': 99 });
    expect(battery.Voltage).toBeCloseTo(batteryV, 2);
    expect(battery.Current).toBeCloseTo(batteryA, 1);
  });

  it('the powers balance at every hour of a day', async () => {
    const { clock, plant, hardware } = await simulate(MIDNIGHT);
    for (let hour = 0; hour < 24; hour++) {
      clock.advance(3_600_000);
      const reading = await read(hardware);
      const of = (name: string): number => Number(reading[name]);
      expect(of('Load power')).toBe(of('PV power') + of('Grid power') - of('Battery power'));
      expect(of('Load power')).toBe(plant.reading.loadW);
      expect(of('Load power 1') + of('Load power 2') + of('Load power 3')).toBe(plant.reading.houseW);
    }
  });

  it('every setting that is offered can be written and read', async () => {
    const { hardware } = await simulate(NOON);
    const before = await read(hardware);
    const settings = (hardware.units[0]?.quantities ?? []).filter(({ setting }) => setting !== undefined);
    expect(settings).toHaveLength(18);
    for (const quantity of settings) {
      const value = another(quantity, before[quantity.name] ?? null);
      expect(await hardware.write(0, quantity.name, value), quantity.name).toBe(value);
    }
    const after = await read(hardware);
    for (const { name } of settings) expect(after[name], name).not.toBe(before[name]);
  });

  it('the battery rests when charging and discharging are not allowed', async () => {
    const { hardware } = await simulate(MIDNIGHT);
    expect((await read(hardware))['Battery power']).toBeLessThan(0);
    await hardware.write(0, 'Max discharge percentage', 0);
    expect((await read(hardware))['Battery power']).toBe(0);
    await hardware.write(0, 'Power mode', 'Off');
    expect(await read(hardware)).toMatchObject({ 'PV power': 0, 'Battery power': 0 });
  });

  it('a write of BatteryLife succeeds although the GX derives another code', async () => {
    const { hardware } = await simulate(NOON);
    expect(await hardware.write(0, 'Battery life state', 'BatteryLife on')).toBe('BatteryLife on');
    expect((await read(hardware))['ESS state']).toBe('Self-consumption');
    expect(await hardware.write(0, 'Battery life state', 'BatteryLife off')).toBe('BatteryLife off');
    expect((await read(hardware))['ESS state']).toBe('Self-consumption, BatteryLife off');
  });
});

/** Something else that the setting takes, not only at its ends. */
function another({ name, setting }: Quantity, now: MetricValue): number | string {
  if (setting?.kind === 'select') return setting.options.find((option) => option !== now) ?? '';
  if (setting?.kind !== 'number') throw new Error(`${name} is no setting`);
  return now === setting.max ? setting.min : setting.max;
}
