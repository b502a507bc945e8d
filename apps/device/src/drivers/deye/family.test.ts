import type { MetricValue } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { negative, registersWith, SINGLE, THREE } from '../../../test/drivers/deye/registers.ts';
import { bankOf, type RtuInverter, startRtuInverter } from '../../../test/drivers/deye/rtu-inverter.ts';
import { runningUntilTheEnd } from '../../../test/running.ts';
import { LinkDown } from '../../bus/failures.ts';
import { type Hardware, NotRecognised } from '../driver.ts';
import { deye } from './family.ts';

const running = runningUntilTheEnd();

async function start(registers: Map<number, number>): Promise<RtuInverter> {
  const inverter = await startRtuInverter(bankOf(registers));
  running.push(inverter);
  return inverter;
}

async function open(registers: Map<number, number>, options: Record<string, string> = {}): Promise<Hardware> {
  const { bus } = await start(registers);
  return deye.open(bus, { unit: 1, options });
}

async function read(hardware: Hardware, unit = 0): Promise<Record<string, MetricValue>> {
  return Object.fromEntries((await hardware.poll())[unit] ?? []);
}

describe.concurrent('deye.open', () => {
  it.each([
    [3, 'Deye, SunSynk, Sol-Ark'],
    [259, 'Deye, SunSynk, Sol-Ark'],
    [512, 'Deye, SunSynk, Sol-Ark'],
    [768, 'Deye, SunSynk, Sol-Ark'],
    [5, 'Deye, SunSynk, Sol-Ark 3 phase'],
    [6, 'Deye, SunSynk, Sol-Ark 3 phase'],
    [7, 'Deye, SunSynk, Sol-Ark 3 phase'],
    [8, 'Deye, SunSynk, Sol-Ark 3 phase'],
    [1280, 'Deye, SunSynk, Sol-Ark 3 phase'],
    [1538, 'Deye, SunSynk, Sol-Ark 3 phase'],
  ])('device type %i opens as %s', async (type, model) => {
    const hardware = await open(registersWith(type, {}));
    expect(hardware.units).toMatchObject([{ kind: 'inverters', model }]);
    expect(await read(hardware)).toMatchObject({ 'Serial number': '2301606000' });
  });

  it.each([260, 512])('device type %i is written only while it reports a battery', async (type) => {
    const without = await open(registersWith(type, {}));
    expect(without.units[0]?.settingsRefusal).toMatch(/sources disagree/);
    await expect(without.write(0, 'Energy pattern', 'Load first')).rejects.toThrow(/sources disagree/);
    const withBattery = await open(registersWith(type, { 183: 5312 }));
    expect(withBattery.units[0]?.settingsRefusal).toBeUndefined();
    expect(await withBattery.write(0, 'Energy pattern', 'Load first')).toBe('Load first');
  });

  it.each([
    ['another kind of inverter', registersWith(2, {}), /another driver, deye-string: .* string inverter/],
    ['another device', registersWith(77, {}), /77 in register 0 is no device type/],
    ['a device without a serial number', registersWith(3, { 3: 0x0102 }), /no serial number/],
    ['a device without these registers', new Map([[40_000, 1]]), /no registers 0 to 24/],
  ])('%s is not recognised', async (_name, registers, message) => {
    const opening = open(registers);
    await expect(opening).rejects.toThrow(NotRecognised);
    await expect(opening).rejects.toThrow(message);
  });

  it('opening fails with LinkDown when the unit does not answer', async () => {
    const { bus, faults } = await start(SINGLE);
    faults.behave('silent');
    await expect(deye.open(bus, { unit: 1, options: {} })).rejects.toThrow(LinkDown);
  });
});

describe.concurrent('powers of a Deye inverter', () => {
  it('the powers of a single-phase inverter balance', async () => {
    expect(await read(await open(SINGLE))).toMatchObject({
      'PV power': 3700,
      'Grid power': -900,
      'Battery power': 2000,
      'Load power': 800,
      'Load power essential': 700,
      'Battery current': 37.65,
      'Battery voltage': 53.12,
      'Battery state of charge': 81,
      'Battery temperature': 25,
      'Device mode': 'Normal',
      'Rated power': 5000,
      Alarm: 'OK',
      Fault: 'OK',
    });
  });

  it('grid power comes from the clamp at the meter with grid_meter: ct', async () => {
    expect(await read(await open(SINGLE, { grid_meter: 'ct' }))).toMatchObject({
      'Grid power': -650,
      'Grid power inverter': -900,
      'Load power': 3700 - 650 - 2000,
      'Load power non-essential': 250,
    });
  });

  it('a 16 kW inverter counts powers at its ports in tens of watts', async () => {
    const registers = new Map(SINGLE).set(0, 512);
    expect(await read(await open(registers))).toMatchObject({
      'PV power': 3700,
      'Grid power': -9000,
      'Load power essential': 7000,
      'Battery power': 2000,
      'Battery current': 376.5,
    });
  });

  it('the powers of a three-phase inverter balance', async () => {
    expect(await read(await open(THREE))).toMatchObject({
      'PV power': 5000,
      'Grid power': -1500,
      'Battery power': -721,
      'Battery current': -14.09,
      'Battery temperature': 15.2,
      'Load power': 5000 - 1500 + 721,
      'Grid voltage': 231.1,
      'Grid voltage 1': 231.1,
      'Grid connected': 'On grid',
      'Rated power': 10_000,
    });
  });

  it('a high-voltage inverter counts DC powers in tens of watts', async () => {
    const hardware = await open(new Map(THREE).set(0, 6));
    expect(await read(hardware)).toMatchObject({
      'PV power': 50_000,
      'Grid power': -1500,
      'Battery power': -7210,
      'Battery voltage': 512.4,
    });
    const names = hardware.units[0]?.quantities.map(({ name }) => name);
    expect(names).not.toContain('Battery float charge voltage');
    expect(names).toContain('Power point 1');
  });

  it.each([
    ['a negative low word beside an empty high word', 0, negative(-1500), -1500],
    ['both words', 1, 0x86a0, 100_000],
    ['both words of a large export', 0xfffe, 0x7960, -100_000],
  ])('a three-phase power decodes from %s', async (_name, high, low, watts) => {
    const registers = new Map(THREE).set(625, low).set(690, high);
    expect(await read(await open(registers))).toHaveProperty('Grid power', watts);
  });

  it('a three-phase power without its high word is a signed word', async () => {
    const registers = new Map([...THREE].filter(([address]) => address < 686));
    expect(await read(await open(registers))).toHaveProperty('Grid power', -1500);
  });

  it('PV inputs that the inverter does not have are not counted', async () => {
    const registers = new Map(SINGLE).set(188, 2).set(189, 1);
    expect(await read(await open(registers))).toHaveProperty('PV power', 3700);
    registers.set(18, 0x0401);
    expect(await read(await open(registers))).toMatchObject({ 'PV power': 3703, 'PV power 4': 1 });
  });

  it('a split-phase inverter reports each phase', async () => {
    const registers = new Map(SINGLE).set(18, 0x0202).set(168, 40).set(151, 1198);
    const reading = await read(await open(registers));
    expect(reading).toMatchObject({ 'Grid power 1': -900, 'Grid power 2': 40, 'Grid voltage 2': 119.8 });
    expect(reading).not.toHaveProperty('Grid power LD');
  });
});

describe.concurrent('a Deye inverter with two batteries', () => {
  const registers = new Map(THREE)
    .set(589, 50)
    .set(593, 5200)
    .set(594, negative(-500))
    .set(595, negative(-260));

  it('each battery is a unit, and the inverter reports their sum', async () => {
    const hardware = await open(registers);
    expect(hardware.units.map(({ kind }) => kind)).toEqual(['inverters', 'batteries', 'batteries']);
    const inverter = await read(hardware);
    expect(inverter).toMatchObject({ 'Battery power': -721 + 260, 'Load power': 5000 - 1500 + 461 });
    expect(inverter).not.toHaveProperty('Battery state of charge');
    expect(await read(hardware, 1)).toMatchObject({ 'State of charge': 64, Voltage: 51.24, Power: -721 });
    expect(await read(hardware, 2)).toMatchObject({ 'State of charge': 50, Current: 5, Power: 260 });
  });

  it('implausible registers are not taken for a second battery', async () => {
    expect((await open(new Map(registers).set(593, 200))).units).toHaveLength(1);
    expect((await open(new Map(registers).set(589, 0xffff))).units).toHaveLength(1);
  });

  it('the inverter needs to be reopened when a second battery appears', async () => {
    const live = new Map(THREE);
    const hardware = await open(live);
    await hardware.poll();
    expect(hardware.needsReopen).toBe(false);
    live.set(589, 50).set(593, 5200);
    await hardware.poll();
    expect(hardware.needsReopen).toBe(true);
  });
});

describe.concurrent('a battery that is taken off a Deye inverter with two', () => {
  const registers = new Map(THREE).set(589, 55).set(593, 5200).set(595, negative(-260));

  it('the second battery is gone, and the power of the other one is the sum', async () => {
    const live = new Map(registers);
    const hardware = await open(live);
    await hardware.poll();
    expect([0, 1, 2].map((unit) => hardware.isGone?.(unit))).toEqual([false, false, false]);
    expect(hardware.hasShrunk).toBe(false);
    live.set(589, 0).set(593, 0);
    expect(await read(hardware)).toMatchObject({ 'Battery power': -721, 'Load power': 5000 - 1500 + 721 });
    expect([0, 1, 2].map((unit) => hardware.isGone?.(unit))).toEqual([false, false, true]);
    expect(hardware.hasShrunk).toBe(true);
    live.set(589, 55).set(593, 5200);
    await hardware.poll();
    expect(hardware.isGone?.(2)).toBe(false);
    expect(hardware.hasShrunk).toBe(false);
  });

  it('the first battery is gone without need to open the inverter again', async () => {
    const live = new Map(registers);
    const hardware = await open(live);
    live.set(587, 0).set(588, 0).set(590, 0);
    expect(await read(hardware)).toHaveProperty('Battery power', 260);
    expect([1, 2].map((unit) => hardware.isGone?.(unit))).toEqual([true, false]);
    expect(hardware.hasShrunk).toBe(false);
  });

  it('registers that one poll did not get are no battery that is gone', async () => {
    const live = new Map(registers);
    const hardware = await open(live);
    for (let register = 586; register <= 596; register++) live.delete(register);
    await hardware.poll();
    expect([1, 2].map((unit) => hardware.isGone?.(unit))).toEqual([false, false]);
  });
});

describe.concurrent('a parallel system of Deye inverters', () => {
  const PARALLEL = 0b01;
  const MASTER = 0b10;

  it.each([
    ['a slave', SINGLE, 417, PARALLEL, 'Slave', /slave of a parallel system/],
    ['a slave of three phases', THREE, 336, PARALLEL, 'Slave', /change the setting on the master/],
    ['the master', SINGLE, 417, PARALLEL | MASTER, 'Master', undefined],
    ['an inverter on its own', SINGLE, 417, MASTER, 'Single', undefined],
  ])('settings are refused by slaves alone: %s', async (_name, registers, register, bits, role, refusal) => {
    const hardware = await open(new Map(registers).set(register, bits | (2 << 10)));
    expect(await read(hardware)).toHaveProperty('Parallel role', role);
    const [inverter] = hardware.units;
    const writing = hardware.write(0, 'Max charge current', 30);
    if (refusal === undefined) {
      expect(inverter?.settingsRefusal).toBeUndefined();
      expect(await writing).toBe(30);
    } else {
      expect(inverter?.settingsRefusal).toMatch(refusal);
      await expect(writing).rejects.toThrow(refusal);
    }
  });

  it('the inverter needs to be reopened when its role changes', async () => {
    const live = new Map(SINGLE);
    const hardware = await open(live);
    live.set(417, PARALLEL);
    await hardware.poll();
    expect(hardware.needsReopen).toBe(true);
  });
});

describe.concurrent('the options of a Deye setting', () => {
  it('the options hold a time between two steps once the inverter is reopened', async () => {
    const live = new Map(SINGLE);
    const optionsOf = ({ units }: Hardware): readonly string[] => {
      const rule = units[0]?.quantities.find(({ name }) => name === 'Time point 6')?.setting;
      return rule?.kind === 'select' ? rule.options : [];
    };
    const hardware = await open(live);
    live.set(255, 2359);
    expect(await read(hardware)).toHaveProperty('Time point 6', '23:59:00');
    expect([hardware.needsReopen, optionsOf(hardware).length]).toEqual([true, 288]);

    const again = await open(live);
    await again.poll();
    expect(optionsOf(again).slice(-2)).toEqual(['23:55:00', '23:59:00']);
    expect(again.needsReopen).toBe(false);
  });
});

describe.concurrent('missing values of a Deye inverter', () => {
  it('a register that means "no value" reads as null', async () => {
    const registers = new Map(SINGLE).set(184, 0xffff).set(182, 0).set(90, 0xffff).set(59, 9).set(250, 2465);
    expect(await read(await open(registers))).toMatchObject({
      'Battery state of charge': null,
      'Battery temperature': null,
      'DC temperature': null,
      'Device mode': 'Unknown (9)',
      'Inverter time': null,
      'Time point 1': null,
    });
  });

  it('a sum with an unknown part is null', async () => {
    const reading = await read(await open(new Map(SINGLE).set(187, 0xffff)));
    expect(reading).toMatchObject({ 'PV power': null, 'Load power': null });
  });

  it('a missing register leaves out its own quantity alone', async () => {
    const registers = new Map([...SINGLE].filter(([address]) => address !== 417 && address !== 205));
    const hardware = await open(registers);
    const reading = await read(hardware);
    expect(reading).not.toHaveProperty('Parallel role');
    expect(reading).toMatchObject({ 'Load power': 800, 'Max charge current': 0 });
  });

  it('alarms and faults are listed by name', async () => {
    const registers = new Map(SINGLE)
      .set(102, 1 << 14)
      .set(103, 1 << 12)
      .set(104, 1 << 1)
      .set(106, 1);
    expect(await read(await open(registers))).toMatchObject({
      Alarm: 'Battery loss',
      Fault: 'F13 Working mode change, F18 AC over current, F49',
    });
  });
});
