import { startRegisterServer } from '@heliograph/dev/modbus';
import { simulatedHome } from '@heliograph/dev/plant';
import { DeyeRegisters } from '@heliograph/dev/plant/deye';
import { openPty, rtuUnits, serveLine, solarmanLogger } from '@heliograph/dev/serial';
import { ManualClock, systemClock } from '@heliograph/kit';
import type { MetricValue, Quantity } from '@heliograph/metrics';
import { afterEach, describe, expect, it } from 'vitest';
import type { BusAddress } from '../../bus/address.ts';
import { openModbusBus } from '../../bus/open-bus.ts';
import type { Hardware } from '../driver.ts';
import { deye } from './family.ts';

const NOON = Date.UTC(2026, 5, 21, 12);
const MIDNIGHT = Date.UTC(2026, 5, 21, 0);
const LOGGER = 2_712_345_678;

type Simulated = ConstructorParameters<typeof DeyeRegisters>[1]['profile'];
const PROFILES: readonly Simulated[] = ['single-phase', 'three-phase LV'];

const running: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

function simulate(profile: Simulated, nowMs: number) {
  const clock = new ManualClock(nowMs);
  const plant = simulatedHome(clock);
  const bank = new DeyeRegisters(plant, {
    profile,
    serialNumber: '2301606000',
    monotonic: () => clock.monotonic(),
  });
  return { clock, plant, bank };
}

async function openAt(address: BusAddress): Promise<Hardware> {
  const bus = openModbusBus(address, deye.line, systemClock);
  running.push(() => bus.close());
  return deye.open(bus, { unit: 1, options: {} });
}

async function openTcp(bank: DeyeRegisters): Promise<Hardware> {
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange: bank.readRange,
    write: bank.write,
  });
  running.push(() => server.stop());
  return openAt({ transport: 'modbus-tcp', host: server.host, port: server.port });
}

async function read(hardware: Hardware): Promise<Record<string, MetricValue>> {
  return Object.fromEntries((await hardware.poll())[0] ?? []);
}

describe.each(PROFILES)('a simulated %s inverter', (profile) => {
  it('every quantity has a value, and the powers equal those of the simulated home', async () => {
    const { plant, bank } = simulate(profile, NOON);
    const hardware = await openTcp(bank);
    const reading = await read(hardware);
    const { pvW, batteryW, gridW, loadW, houseW, batteryV } = plant.reading;
    expect(reading).toMatchObject({
      'PV power': pvW[0] + pvW[1],
      'Battery power': batteryW,
      'Grid power': gridW,
      'Load power': loadW,
      'Load power essential': houseW,
      'Inverter time': '2026-06-21 12:00:00',
    });
    expect(reading['Battery voltage']).toBeCloseTo(batteryV, 2);
    const unknown = hardware.units[0]?.quantities.filter(({ name }) => (reading[name] ?? null) === null);
    expect(unknown).toEqual([]);
  });

  it('the powers balance at every hour of a day', async () => {
    const { clock, bank } = simulate(profile, MIDNIGHT);
    const hardware = await openTcp(bank);
    for (let hour = 0; hour < 24; hour++) {
      clock.advance(3_600_000);
      const {
        'PV power': pv,
        'Grid power': grid,
        'Battery power': battery,
        ...reading
      } = await read(hardware);
      expect(reading['Load power']).toBe(Number(pv) + Number(grid) - Number(battery));
    }
  });

  it('every setting that is offered can be written', async () => {
    const { bank } = simulate(profile, NOON);
    const hardware = await openTcp(bank);
    const before = await read(hardware);
    for (const quantity of hardware.units[0]?.quantities ?? []) {
      if (quantity.setting === undefined) continue;
      const [written, expected] = another(quantity, before[quantity.name] ?? null);
      expect(await hardware.write(0, quantity.name, written), quantity.name).toBe(expected);
    }
    const after = await read(hardware);
    for (const { name, setting } of hardware.units[0]?.quantities ?? []) {
      if (setting !== undefined) expect(after[name], name).not.toBe(before[name]);
    }
  });
});

/** Another value of the setting: as it is written, and as it is then reported. */
function another(
  { name, setting, decimals = 0 }: Quantity,
  now: MetricValue,
): readonly [number | string, MetricValue] {
  if (setting?.kind === 'switch') return [String(now !== true), now !== true];
  if (setting?.kind === 'select') {
    const option = setting.options.find((candidate) => candidate !== now) ?? '';
    return [option, option];
  }
  if (setting?.kind !== 'number') throw new Error(`${name} is no setting`);
  const value = Number((now === setting.max ? setting.min : setting.max).toFixed(decimals));
  return [value, value];
}

describe('settings of a simulated Deye inverter', () => {
  it('a number out of range is silently clamped', async () => {
    const { bank } = simulate('single-phase', NOON);
    bank.write(1, 210, [900]);
    expect(bank.readRange(1, 210, 1)).toEqual([240]);
  });

  it('an invalid time is ignored, and a register without a setting is refused', () => {
    const { bank } = simulate('single-phase', NOON);
    const [before] = bank.readRange(1, 250, 1) ?? [];
    bank.write(1, 250, [2575]);
    expect(bank.readRange(1, 250, 1)).toEqual([before]);
    expect(() => bank.write(1, 169, [5])).toThrow('Modbus exception 2');
  });

  it('a slot with grid charge fills the battery from the grid at night', async () => {
    const { bank } = simulate('single-phase', MIDNIGHT);
    const hardware = await openTcp(bank);
    await hardware.write(0, 'Capacity point 1', 95);
    await hardware.write(0, 'Grid charge point 1', 'true');
    await hardware.write(0, 'Grid charge', 'Enabled');
    expect(Number((await read(hardware))['Battery power'])).toBeLessThanOrEqual(0);
    await hardware.write(0, 'Use timer', 'true');
    const { 'Battery power': battery, 'Grid power': grid } = await read(hardware);
    expect(battery).toBeGreaterThan(1500);
    expect(grid).toBeGreaterThan(Number(battery));
  });

  it('a discharge current of 0 stops the discharge', async () => {
    const { bank } = simulate('three-phase LV', MIDNIGHT);
    const hardware = await openTcp(bank);
    expect((await read(hardware))['Battery power']).toBeLessThan(0);
    await hardware.write(0, 'Max discharge current', 0);
    expect((await read(hardware))['Battery power']).toBe(0);
  });
});

describe('a simulated Deye inverter over other transports', () => {
  it('the inverter is read and written over a serial port', async () => {
    const { bank } = simulate('single-phase', NOON);
    const pty = openPty();
    const detach = rtuUnits(bank)(pty.line);
    running.push(
      () => pty.close(),
      () => detach(),
    );
    const hardware = await openAt({ transport: 'modbus-rtu', path: pty.path });
    expect(await read(hardware)).toMatchObject({ 'Serial number': '2301606000', 'Device mode': 'Normal' });
    expect(await hardware.write(0, 'Work mode', 'Selling first')).toBe('Selling first');
  });

  it('the inverter is read and written through a Solarman logger', async () => {
    const { bank } = simulate('three-phase LV', NOON);
    const served = await serveLine(solarmanLogger(bank, { logger: LOGGER }));
    running.push(() => served.stop());
    const { host, port } = served;
    const hardware = await openAt({ transport: 'solarman', host, port, logger: LOGGER });
    expect(await read(hardware)).toMatchObject({ 'Serial number': '2301606000', 'Device mode': 'Normal' });
    expect(await hardware.write(0, 'Work mode', 'Selling first')).toBe('Selling first');
  });
});
