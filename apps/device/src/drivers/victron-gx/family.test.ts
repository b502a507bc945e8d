import { serviceRegisters } from '@heliograph/dev/plant/victron-gx';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { afterEach, describe, expect, it } from 'vitest';
import { BATTERY, BMS, CHARGER, METER, VEBUS } from '../../../test/drivers/victron-gx/devices.ts';
import {
  gxWith,
  openGx,
  readUnit,
  refusal,
  serve,
  stopServed,
  wide,
  without,
} from '../../../test/drivers/victron-gx/gx.ts';
import { LinkDown } from '../../bus/failures.ts';
import { NotRecognised } from '../driver.ts';
import { victronGx } from './family.ts';

afterEach(stopServed);

describe('victronGx.open', () => {
  it('a GX without devices is recognised by its serial number', async () => {
    const hardware = await openGx(await serve([100, gxWith()]));
    expect(hardware.units).toMatchObject([{ kind: 'inverters', model: 'Victron GX' }]);
    expect(await readUnit(hardware)).toMatchObject({ 'Serial number': 'badbeef15bad', 'PV power': 0 });
  });

  it.each([
    ['a unit without a serial number', 100, gxWith({ 800: 0, 801: 0, 802: 0, 803: 0, 804: 0, 805: 0 })],
    ['a serial number that is none of a GX', 100, gxWith({ 800: 0x7a7a })],
    ['another unit id', 1, gxWith()],
    ['a unit id without the system', 100, new Map(VEBUS)],
    ['a unit without these registers', 100, without(gxWith(), 815, 826)],
  ])('%s is not recognised', async (_name, unitId, registers) => {
    await expect(openGx(await serve([unitId, registers]))).rejects.toThrow(NotRecognised);
  });

  it('opening fails with LinkDown when the unit does not answer', async () => {
    const gx = await serve([100, gxWith()]);
    gx.line.behave('silent');
    await expect(openGx(gx)).rejects.toThrow(LinkDown);
  });
});

describe('the devices behind a GX', () => {
  it('devices are found at their usual unit ids', async () => {
    const gx = await serve(
      [100, gxWith({ ...BATTERY, ...wide(908, -300), 850: 1400 })],
      [228, VEBUS],
      [225, BMS],
      [223, CHARGER],
      [239, CHARGER],
      [30, METER],
    );
    const hardware = await openGx(gx);
    expect(hardware.units.map(({ kind }) => kind)).toEqual(['inverters', 'batteries']);
    expect(await readUnit(hardware)).toMatchObject({
      'Grid power': -300,
      'PV power': 1400,
      'Battery power': 520,
      'Load power': 1400 - 300 - 520,
      'Grid voltage': 230.1,
      'Grid frequency': 50.01,
      'AC input power': 420,
      'AC output power': 300,
      'Device mode': 'Bulk',
      'PV power 1': 1400,
      'PV voltage 2': 120.1,
      'Day PV energy 2': 5.2,
      'MPPT state 1': 'Bulk',
      'MPPT enabled 2': 'On',
      'Total grid import': 1234.6,
      'Total grid export': 6.5,
      Fault: 'OK',
      Alarm: 'OK',
    });
    expect(await readUnit(hardware, 1)).toEqual({
      'State of charge': 80,
      Voltage: 52.4,
      Current: 10,
      Power: 520,
      'State of health': 99,
    });
  });

  it('the GX reads no other devices than those that the configuration names', async () => {
    const gx = await serve([100, gxWith(BATTERY)], [227, VEBUS], [9, BMS], [10, BMS], [11, CHARGER]);
    const options = { vebus: 227, batteries: [9, 10], solar_chargers: [11], grid_meter: 40 };
    const hardware = await openGx(gx, options);
    expect(hardware.units.map(({ kind }) => kind)).toEqual(['inverters', 'batteries', 'batteries']);
    const names = hardware.units[0]?.quantities.map(({ name }) => name);
    expect(names).toContain('MPPT enabled 1');
    const requested = new Set(gx.reads.map(([unitId]) => unitId));
    expect([...requested].toSorted((a, b) => a - b)).toEqual([9, 10, 11, 40, 100, 227]);
  });

  it('configured devices that are absent are unknown until they appear', async () => {
    const gx = await serve([100, gxWith(BATTERY)]);
    const hardware = await openGx(gx, { batteries: [225], solar_chargers: [], vebus: 227 });
    expect(await readUnit(hardware, 1)).toMatchObject({ Voltage: null, 'State of charge': null });
    expect(await readUnit(hardware)).toMatchObject({
      'Grid power': null,
      'Load power': null,
      'Device mode': null,
    });
    gx.units.set(225, without(BMS, 256, 258)).set(227, VEBUS);
    expect(await readUnit(hardware, 1)).toMatchObject({ Voltage: 52.4, 'State of charge': 80 });
    expect(await readUnit(hardware)).toMatchObject({ 'Grid power': 0, 'Device mode': 'Bulk' });
    expect(hardware.needsReopen, 'the state of health').toBe(true);
  });

  it('opening fails with LinkDown when a GX is too busy to list its devices', async () => {
    const gx = await serve([100, gxWith()], [227, VEBUS]);
    gx.onRead((unitId) => {
      if (unitId === 227) refusal(6);
    });
    await expect(openGx(gx)).rejects.toThrow(LinkDown);
  });

  it('the service that the GX counts is read of several for one battery', async () => {
    const shunt = serviceRegisters('battery', { 259: 5239, 261: 98, 266: 640 });
    const starter = serviceRegisters('battery', { 259: 1270, 266: 800 });
    const gx = await serve([100, gxWith(BATTERY)], [225, BMS], [226, shunt], [224, starter]);
    const hardware = await openGx(gx);
    expect(hardware.units).toHaveLength(2);
    expect(await readUnit(hardware, 1)).toMatchObject({ 'State of charge': 80, 'State of health': 99 });
    expect((await openGx(gx, { batteries: [225, 226] })).units).toHaveLength(3);
  });

  it('devices report all that they have: trackers, phases, large powers, counters', async () => {
    const trackers = serviceRegisters('solarcharger', { 775: 3, 789: 14_004 });
    const night = serviceRegisters('solarcharger', { 771: 2650 });
    const three = serviceRegisters('vebus', { 5: 2290, 28: 3, 31: 9 });
    const large = serviceRegisters('battery', { ...wide(256, 41_000), 258: 32_767, 259: 5240, 261: 7825 });
    const meter = serviceRegisters('grid', { ...wide(2622, 100), ...wide(2624, 200), ...wide(2626, 12_000) });
    const gx = await serve(
      [100, gxWith()],
      [227, three],
      [225, large],
      [226, trackers],
      [224, night],
      [30, meter],
    );
    const hardware = await openGx(gx);
    expect(await readUnit(hardware)).toMatchObject({
      'PV voltage 1': null,
      'PV voltage 2': 0,
      'Grid voltage 3': 229,
      'Total grid import': 123,
      'Total grid export': 0,
    });
    expect(await readUnit(hardware, 1)).toMatchObject({ Power: 41_000 });
  });

  it('a device that answers is present whatever its values are', async () => {
    const gx = await serve(
      [100, gxWith()],
      [227, serviceRegisters('vebus', { 33: 4 })],
      [226, serviceRegisters('battery')],
    );
    const hardware = await openGx(gx);
    expect(hardware.units).toHaveLength(2);
    expect(await readUnit(hardware)).toMatchObject({
      'Device mode': 'Off',
      'Grid power': 0,
      'Battery power': null,
    });
    expect(await readUnit(hardware, 1)).toMatchObject({
      Voltage: null,
      Current: null,
      'State of charge': null,
    });
  });
});

describe('the options of a GX', () => {
  const check = (options: unknown): boolean => Value.Check(victronGx.options ?? Type.Never(), options);

  it.each([
    ['nothing', {}, true],
    ['all devices', { vebus: 227, batteries: [225, 9], solar_chargers: [], grid_meter: 30 }, true],
    ['a unit id that is none', { vebus: 256 }, false],
    ['the same battery twice', { batteries: [225, 225] }, false],
    ['one battery without a list', { batteries: 225 }, false],
    ['something else', { inverter: 1 }, false],
  ])('the schema validates %s (%j)', (_name, options, valid) => {
    expect(check(options)).toBe(valid);
  });
});
