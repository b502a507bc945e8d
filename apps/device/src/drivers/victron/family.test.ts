import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulatedHome } from '@heliograph/dev/plant';
import { batteryMonitorLine, phoenixInverterLine, solarChargerLine } from '@heliograph/dev/plant/victron';
import { ManualClock, wallAt } from '@heliograph/kit';
import type { SettingRule } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import {
  answering,
  block,
  CHARGER,
  LINE,
  NO_ANSWER_MS,
  ON_AND_15_A,
  open,
  plugIn,
  read,
  readUntil,
  repeating,
  unplugAfterTests,
  type Values,
} from '../../../test/drivers/victron/plugged-in.ts';
import { type Hardware, NotRecognised, RejectedByHardware } from '../driver.ts';
import type { Recording } from '../recording.ts';
import { openDevice, victron } from './family.ts';

unplugAfterTests();

const NOON = Date.UTC(2026, 5, 21, 12);
const MIDNIGHT = Date.UTC(2026, 5, 21, 0);

const home = (nowMs = NOON) => simulatedHome(new ManualClock(nowMs));

function ruleOf(hardware: Hardware, name: string): SettingRule | undefined {
  return hardware.units[0]?.quantities.find((quantity) => quantity.name === name)?.setting;
}

const captured = (id: string): Uint8Array => {
  const file = join(import.meta.dirname, 'captures', `${id}.json`);
  const recording = JSON.parse(readFileSync(file, 'utf8')) as Recording;
  return Buffer.from(recording.response?.hex ?? '', 'hex');
};

describe.concurrent('a VE.Direct solar charger', () => {
  it('a charger reports its measurements, and settings with their bounds', async () => {
    const { bus } = await plugIn(solarChargerLine(home(), LINE));
    const hardware = await open(bus);
    expect(hardware.units).toMatchObject([{ kind: 'inverters', model: 'SmartSolar MPPT 250|100' }]);
    const values = await read(hardware);
    expect(values).toMatchObject({
      Manufacturer: 'Victron Energy',
      'Serial number': 'HQ2600SIMUL',
      'Firmware version': '1.63',
      'Device mode': 'Bulk',
      'Tracker mode': 'MPPT active',
      Error: 'No error',
      'Off reason': 'None',
      'MPPT enabled': 'On',
      'Max charge current': 100,
      'Battery type': 'User defined',
      'Battery absorption charge voltage': 56.8,
      'Battery float charge voltage': 54,
      'Battery temperature compensation': -64.8,
    });
    expect(values['PV power']).toBeGreaterThan(500);
    expect(ruleOf(hardware, 'Max charge current')).toEqual({ kind: 'number', min: 1, max: 100, step: 1 });
    expect(ruleOf(hardware, 'Battery float charge voltage')).toMatchObject({
      min: 32,
      max: 69.6,
      step: 0.01,
    });
    expect(ruleOf(hardware, 'Battery temperature compensation')).toBeUndefined();
    expect(bus.traffic.dropped).toBe(0);
  });

  it.each([NOON, MIDNIGHT])('a charger without a load output has no battery power', async (nowMs) => {
    const { bus } = await plugIn(solarChargerLine(home(nowMs), LINE));
    const values = await read(await open(bus));
    expect(Number(values['Charge power'])).toBeLessThanOrEqual(Number(values['PV power']));
    expect(Number(values['Charge power'])).toBeCloseTo(Number(values['PV power']) * 0.98, -1);
    expect(values).not.toHaveProperty('Battery power');
    expect(values).not.toHaveProperty('Load power');
  });

  it.each([
    [
      'MPPT enabled',
      'Off',
      { 'PV power': 0, 'Device mode': 'Off', 'Off reason': 'Switched off by button or software' },
    ],
    ['Max charge current', 7, { 'Tracker mode': 'Voltage or current limited' }],
    [
      'Battery type',
      'Gel 14.3',
      { 'Battery absorption charge voltage': 57.2, 'Battery float charge voltage': 55.2 },
    ],
    ['Battery float charge voltage', 54.37, {}],
  ] as const)('the setting %s = %s takes effect', async (name, value, then) => {
    const { bus } = await plugIn(solarChargerLine(home(), LINE));
    const hardware = await open(bus);
    expect(await hardware.write(0, name, value)).toBe(value);
    expect(await read(hardware)).toMatchObject({ [name]: value });
    const done = (values: Values): boolean => Object.entries(then).every(([one, now]) => values[one] === now);
    expect(await readUntil(hardware, done)).toMatchObject({ [name]: value, ...then });
  });

  it('a value out of bounds is refused, and the old one stays in force', async () => {
    const { bus } = await plugIn(solarChargerLine(home(), LINE));
    const hardware = await open(bus);
    await expect(hardware.write(0, 'Battery float charge voltage', 12)).rejects.toThrow(
      new RejectedByHardware(
        'the charger refused 12 for Battery float charge voltage: it does not accept this value',
      ),
    );
    await expect(hardware.write(0, 'Max charge current', 7000)).rejects.toThrow(/cannot hold 7000/);
    expect(await read(hardware)).toMatchObject({ 'Battery float charge voltage': 54 });
  });

  it('a voltage is not sent while the battery type is not user defined', async () => {
    const { bus } = await plugIn(solarChargerLine(home(), LINE));
    const hardware = await open(bus);
    await hardware.write(0, 'Battery type', 'Gel 14.3');
    await expect(hardware.write(0, 'Battery absorption charge voltage', 56)).rejects.toThrow(
      /only while its battery type is "User defined", and it is "Gel 14.3"/,
    );
  });

  it('a charger without limits is rated by its name, and its voltages are read-only', async () => {
    const registers = { 512: [1], 60912: [150, 0], 60918: [0xff, 0xff] };
    const { bus } = await plugIn(repeating(block(CHARGER), answering(registers)));
    const hardware = await open(bus);
    expect(ruleOf(hardware, 'Max charge current')).toMatchObject({ min: 1, max: 20 });
    expect(ruleOf(hardware, 'Battery float charge voltage')).toBeUndefined();
    expect(await read(hardware)).toMatchObject({ 'Battery float charge voltage': null });
    expect(hardware.units[0]?.quantities.map(({ name }) => name)).not.toContain('Battery type');
  });

  it('an unknown battery type in force is one of the options', async () => {
    const type = [2];
    const { bus } = await plugIn(
      repeating(block(CHARGER), answering({ 512: [1], 60912: [150, 0], 60913: type })),
    );
    const hardware = await open(bus);
    expect(ruleOf(hardware, 'Battery type')).not.toMatchObject({
      options: expect.arrayContaining(['Unknown (9)']),
    });
    await expect(hardware.write(0, 'Battery type', 'Unknown (9)')).rejects.toThrow(/cannot hold Unknown/);
    type[0] = 9;
    // Settings are read again behind a write.
    await readUntil(hardware, (values) => values['Battery type'] === 'Unknown (9)');
    expect(hardware.needsReopen).toBe(true);
    expect(ruleOf(await open(bus), 'Battery type')).toMatchObject({
      options: expect.arrayContaining(['Unknown (9)']),
    });
  });

  it('a quantity that is no setting is not written', async () => {
    const { bus } = await plugIn(solarChargerLine(home(), LINE));
    const hardware = await open(bus);
    await expect(hardware.write(0, 'Battery temperature compensation', 1)).rejects.toThrow(/has no setting/);
    await expect(hardware.write(1, 'MPPT enabled', 'Off')).rejects.toThrow(/has no setting/);
  });
});

describe.concurrent('a VE.Direct battery monitor', () => {
  it('a monitor is a battery, whichever of its two blocks arrives first', async () => {
    const { bus } = await plugIn(batteryMonitorLine(home(MIDNIGHT), LINE));
    const hardware = await open(bus);
    expect(hardware.units).toMatchObject([{ kind: 'batteries', model: 'SmartShunt 500A/50mV' }]);
    const values = await read(hardware);
    expect(values).toMatchObject({
      'State of charge': expect.any(Number),
      Cycles: expect.any(Number),
      Alarm: 'Off',
    });
    expect(values.Power).toBeLessThan(0);
    expect(Number(values.Voltage) * Number(values.Current)).toBeCloseTo(Number(values.Power), -1);
    expect(values['Time to go']).toBeGreaterThan(0);
    await expect(hardware.write(0, 'MPPT enabled', 'Off')).rejects.toThrow(/has no setting/);
  });

  it('a recorded monitor reads as its recording decodes', async () => {
    const blocks = [captured('vedirect_bmv700_block1'), captured('vedirect_bmv700_block2')];
    const { bus } = await plugIn(repeating(Buffer.concat(blocks)));
    const values = await read(await open(bus));
    expect(values).toMatchObject({ Power: -92, 'State of charge': 83.9, 'Max voltage': 16.161 });
  });

  it('a broken history block leaves the present values', async () => {
    const [main, history] = [captured('vedirect_bmv700_block1'), captured('vedirect_bmv700_block2')];
    let broken = false;
    const spoilt = Buffer.from(history).fill('\t', 40, 41);
    const { bus } = await plugIn(repeating(() => Buffer.concat([main, broken ? spoilt : history])));
    const hardware = await open(bus);
    broken = true;
    const values = await readUntil(hardware, (now) => !('Deepest discharge' in now));
    expect(values).toMatchObject({ 'State of charge': 83.9, Voltage: 12.065 });
    expect(bus.traffic.dropped).toBeGreaterThan(0);
  });

  it('an unknown value of a monitor is null', async () => {
    const { bus } = await plugIn(
      repeating(block({ PID: '0x203', V: '12000', I: '0', SOC: '---', T: '---', TTG: '-1', MON: '0' })),
    );
    expect(await read(await open(bus))).toMatchObject({
      'State of charge': null,
      Temperature: null,
      'Time to go': null,
      Power: 0,
    });
  });

  it('a shunt that is set up as an energy meter is not recognised', async () => {
    const { bus } = await plugIn(repeating(block({ PID: '0xA389', V: '12000', I: '0', P: '0', MON: '-9' })));
    await expect(open(bus)).rejects.toThrow(NotRecognised);
  });
});

describe.concurrent('a VE.Direct Phoenix inverter', () => {
  it('a Phoenix inverter reports its output', async () => {
    const { bus } = await plugIn(phoenixInverterLine(home(), LINE));
    const hardware = await open(bus);
    expect(hardware.units).toMatchObject([{ kind: 'inverters', model: 'Phoenix Inverter 48V 3000VA 230V' }]);
    expect(await read(hardware)).toMatchObject({
      'Device mode': 'Inverting',
      'Power mode': 'Inverter',
      'AC output voltage': expect.any(Number),
      'Load apparent power': expect.any(Number),
      'Battery voltage': expect.any(Number),
      Warning: 'None',
    });
    expect(hardware.units[0]?.quantities.filter(({ setting }) => setting !== undefined)).toEqual([]);
  });
});

describe.concurrent('settings of a VE.Direct charger over time', () => {
  it('the time of a setting is that of its last reading or write', async () => {
    const clock = new ManualClock(NOON);
    const { bus } = await plugIn(solarChargerLine(home(), LINE));
    const hardware = await victron.open(bus, { unit: undefined, options: {} }, clock);
    const timeOf = (name: string) => wallAt(clock, hardware.readAt?.(0, name) ?? Number.NaN) - NOON;
    clock.advance(9_000);
    await hardware.poll();
    expect(timeOf('Max charge current')).toBe(0);
    await hardware.write(0, 'Max charge current', 50);
    expect(timeOf('Max charge current')).toBe(9_000);
    expect(timeOf('Battery type')).toBe(0);
  });

  it('settings are read every minute, and left out when they are too old', async () => {
    const clock = new ManualClock(NOON);
    let current = [150, 0];
    let silent = false;
    const { bus } = await plugIn(
      repeating(block(CHARGER), (frame) =>
        silent ? Buffer.alloc(0) : answering({ 512: [1], 60912: current })(frame),
      ),
    );
    const hardware = await openDevice(bus, { clock, answerTimeoutMs: NO_ANSWER_MS });
    current = [100, 0];
    clock.advance(59_000);
    expect(await read(hardware)).toMatchObject({ 'Max charge current': 15 });
    const time = () => wallAt(clock, hardware.readAt?.(0, 'Max charge current') ?? Number.NaN) - NOON;
    expect(time()).toBe(0);
    clock.advance(1_000);
    expect(await read(hardware)).toMatchObject({ 'Max charge current': 10 });
    expect(time()).toBe(60_000);
    expect(hardware.readAt?.(0, 'PV power')).toBeUndefined();

    silent = true;
    clock.advance(149_999);
    expect(await read(hardware)).toMatchObject({ 'PV power': 14, 'Max charge current': 10 });
    clock.advance(2);
    const values = await read(hardware);
    expect(values).toMatchObject({ 'PV power': 14 });
    expect(values).not.toHaveProperty('Max charge current');
  });

  it('the hardware needs to be reopened when the charger begins to answer', async () => {
    const clock = new ManualClock(NOON);
    let silent = true;
    const { bus } = await plugIn(
      repeating(block(CHARGER), (frame) => (silent ? Buffer.alloc(0) : ON_AND_15_A(frame))),
    );
    const hardware = await openDevice(bus, { clock, answerTimeoutMs: NO_ANSWER_MS });
    silent = false;
    await hardware.poll();
    expect(hardware.needsReopen).toBe(false);
    clock.advance(600_000);
    await hardware.poll();
    expect(hardware.needsReopen).toBe(true);
  });
});
