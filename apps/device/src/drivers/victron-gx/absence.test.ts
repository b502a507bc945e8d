import { serviceRegisters } from '@heliograph/dev/plant/victron-gx';
import { afterEach, describe, expect, it } from 'vitest';
import { BATTERY, BMS, CHARGER, METER, VEBUS } from '../../../test/drivers/victron-gx/devices.ts';
import {
  gxWith,
  openGx,
  readUnit,
  serve,
  stopServed,
  wide,
  without,
} from '../../../test/drivers/victron-gx/gx.ts';
import { LinkDown } from '../../bus/failures.ts';

afterEach(stopServed);

describe('values that a GX does not have', () => {
  it('a battery at 0 V is unknown, and the load with it', async () => {
    const gx = await serve([100, gxWith({ 850: 900 })], [227, VEBUS]);
    expect(await readUnit(await openGx(gx))).toMatchObject({
      'PV power': 900,
      'Grid power': 0,
      'Battery voltage': null,
      'Battery current': null,
      'Battery power': null,
      'Battery state of charge': null,
      'Battery state': null,
      'Load power': null,
    });
  });

  it.each([
    ['without a battery service', [], null],
    ['of an empty battery', [[225, BMS] as const], 0],
  ])('a state of charge of 0 %s', async (_name, batteries, charge) => {
    const gx = await serve([100, gxWith({ ...BATTERY, 843: 0 })], [227, VEBUS], ...batteries);
    expect(await readUnit(await openGx(gx))).toHaveProperty('Battery state of charge', charge);
  });

  it('the grid and the measurements of a VE.Bus are unknown while it is absent', async () => {
    const gx = await serve([100, gxWith({ ...BATTERY, ...wide(908, 400) })], [227, VEBUS]);
    const hardware = await openGx(gx);
    expect(await readUnit(hardware)).toMatchObject({ 'Grid power': 400, 'Load power': 400 - 520 });
    gx.units.delete(227);
    for (const [register, value] of Object.entries(wide(908, 0)))
      gx.units.get(100)?.set(Number(register), value);
    expect(await readUnit(hardware)).toMatchObject({
      'Grid power': null,
      'Load power': null,
      'Load power essential': null,
      'Device mode': null,
      'Power mode': null,
      'Battery power': 520,
    });
    gx.units.set(227, VEBUS);
    expect(await readUnit(hardware)).toMatchObject({ 'Grid power': 0, 'Device mode': 'Bulk' });
  });

  it('a battery that the GX has lost is gone until it is back, and no other unit is', async () => {
    const gx = await serve([100, gxWith({ ...BATTERY })], [227, VEBUS], [225, BMS]);
    const hardware = await openGx(gx);
    await hardware.poll();
    expect([0, 1].map((unit) => hardware.isGone?.(unit))).toEqual([false, false]);
    gx.units.delete(225);
    expect(await readUnit(hardware, 1)).toMatchObject({ Voltage: null });
    expect([0, 1].map((unit) => hardware.isGone?.(unit))).toEqual([false, true]);
    gx.units.set(225, BMS);
    await hardware.poll();
    expect(hardware.isGone?.(1)).toBe(false);
  });

  it('a mode without a name is shown by its number and offered once the GX is opened again', async () => {
    const gx = await serve([100, gxWith()], [227, new Map(VEBUS).set(33, 7)]);
    const hardware = await openGx(gx);
    expect(await readUnit(hardware)).toHaveProperty('Power mode', 'Unknown (7)');
    const options = hardware.units[0]?.quantities.find(({ name }) => name === 'Power mode')?.setting;
    expect(options).toMatchObject({ options: expect.arrayContaining(['Unknown (7)', 'On']) });
    expect(hardware.needsReopen).toBe(false);
    gx.units.get(227)?.set(33, 9);
    expect(await readUnit(hardware)).toHaveProperty('Power mode', 'Unknown (9)');
    expect(hardware.needsReopen).toBe(true);
    expect(await hardware.write(0, 'Power mode', 'On')).toBe('On');
  });

  it('the loads by phase and the generator are unknown while the VE.Bus is absent', async () => {
    const three = new Map(VEBUS).set(28, 3);
    const gx = await serve([100, gxWith({ ...BATTERY, ...wide(902, 300), ...wide(914, 800) })], [227, three]);
    const hardware = await openGx(gx);
    expect(await readUnit(hardware)).toMatchObject({
      'Load power 1': 300,
      'Generator power': 800,
      'Load power': 800 - 520,
    });
    gx.units.delete(227);
    for (const register of [902, 903, 914, 915]) gx.units.get(100)?.set(register, 0);
    expect(await readUnit(hardware)).toMatchObject({ 'Load power 1': null, 'Generator power': null });
  });

  it('the loads by phase are unknown while the meter of a system without a VE.Bus is absent', async () => {
    const gx = await serve([100, gxWith({ ...BATTERY, ...wide(902, 300), ...wide(904, 200) })], [30, METER]);
    const hardware = await openGx(gx);
    expect(await readUnit(hardware)).toMatchObject({ 'Load power 2': 200, 'Grid power': 0 });
    gx.units.delete(30);
    expect(await readUnit(hardware)).toMatchObject({ 'Load power 2': null, 'Grid power': null });
  });

  it('the PV power is unknown while a solar charger is absent', async () => {
    const gx = await serve([100, gxWith({ ...BATTERY, 850: 2800 })], [226, CHARGER], [224, CHARGER]);
    const hardware = await openGx(gx);
    expect(await readUnit(hardware)).toMatchObject({ 'PV power': 2800, 'Load power': 2280 });
    gx.units.delete(224);
    gx.units.get(100)?.set(850, 1400);
    const reading = await readUnit(hardware);
    expect(reading).toMatchObject({ 'PV power': null, 'Load power': null, 'PV power 1': 1400 });
    expect(reading).toMatchObject({ 'PV power 2': null, 'MPPT state 2': null });
  });

  it('a home without grid and battery has no quantities for them until they appear', async () => {
    const gx = await serve([100, gxWith({ 850: 900 })]);
    const hardware = await openGx(gx);
    const names = hardware.units[0]?.quantities.map(({ name }) => name) ?? [];
    expect(names).toContain('PV power');
    for (const name of ['Grid power', 'Battery power', 'Load power', 'DC load power'])
      expect(names).not.toContain(name);
    await hardware.poll();
    expect(hardware.needsReopen).toBe(false);
    gx.units.get(100)?.set(840, 260);
    await hardware.poll();
    expect(hardware.needsReopen).toBe(true);
  });

  it('a poll fails with LinkDown when the GX no longer reports its system', async () => {
    const gx = await serve([100, gxWith()]);
    const hardware = await openGx(gx);
    gx.units.set(100, serviceRegisters('settings'));
    await expect(hardware.poll()).rejects.toThrow(LinkDown);
    gx.units.set(100, gxWith({ 805: 0x6165 }));
    await expect(hardware.poll()).rejects.toThrow('unit 100 is now badbeef15bae, not badbeef15bad');
  });
});

describe('a GX with older firmware', () => {
  it('older firmware has its powers in 16 bits alone', async () => {
    const old = without(gxWith({ ...BATTERY, 820: -1500, 821: 200, 808: 700, 817: 300 }), 867, 919);
    const vebus = new Map(VEBUS).set(28, 2);
    const bms = without(new Map(BMS), 256, 258);
    const hardware = await openGx(await serve([100, old], [227, without(vebus, 34, 61)], [225, bms]));
    const reading = await readUnit(hardware);
    expect(reading).toMatchObject({
      'Grid power': -1300,
      'Grid power 1': -1500,
      'Grid power 2': 200,
      'AC couple PV power': 700,
      'Load power': 700 - 1300 - 520,
      'Load power 1': 300,
      'Power mode': null,
    });
    expect(reading).not.toHaveProperty('Load power essential');
    expect(reading).not.toHaveProperty('Disable charge');
    expect(await readUnit(hardware, 1), 'volts x amperes').toHaveProperty('Power', 524);
  });

  it('older firmware has fewer settings, and missing ones are not requested again', async () => {
    const gx = await serve([100, without(gxWith(), 2704, 2710)]);
    const hardware = await openGx(gx);
    const names = hardware.units[0]?.quantities.filter(({ setting }) => setting).map(({ name }) => name);
    expect(names).toContain('Max discharge percentage');
    expect(names).toContain('Minimum state of charge');
    expect(names).not.toContain('Max charge current');
    const before = gx.reads.length;
    await hardware.poll();
    const requested = gx.reads.slice(before).flatMap(([, address, count]) => [address, address + count - 1]);
    expect(requested.some((register) => register >= 2704 && register <= 2710)).toBe(false);
  });
});
