import { simulatedHome } from '@heliograph/dev/plant';
import { pylontechConsole, pylontechRs485 } from '@heliograph/dev/plant/pylontech';
import { type Attach, LineFaults, openPty, type ServedLine, serveLine } from '@heliograph/dev/serial';
import { ManualClock, systemClock, wallAt } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import { describe, expect, it, vi } from 'vitest';
import { PATIENCE, runningUntilTheEnd } from '../../../test/running.ts';
import type { BusAddress } from '../../bus/address.ts';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import { openByteBus } from '../../bus/open-bus.ts';
import { encodeFrame } from '../ascii-frame/frame.ts';
import { type Hardware, NotRecognised } from '../driver.ts';
import { pylontechFamily } from './family.ts';

const NOON = Date.UTC(2026, 5, 21, 12);
const MIDNIGHT = Date.UTC(2026, 5, 21, 0);

/** Short, because some tests wait for an answer that does not come. */
const family = pylontechFamily({ oneMs: 400, allMs: 500, consoleMs: 500 });
const RS485 = { unit: undefined, options: { port: 'rs485' } };
const CONSOLE = { unit: undefined, options: { port: 'console' } };
const EITHER = { unit: undefined, options: {} };

const running = runningUntilTheEnd();

function busTo(address: BusAddress): ByteBus {
  const bus = openByteBus(address, family.line, systemClock);
  running.push({ stop: () => bus.close() });
  return bus;
}

async function plugIn(attach: Attach): Promise<{ bus: ByteBus; server: ServedLine }> {
  const server = await serveLine(attach);
  running.push(server);
  return { server, bus: busTo({ transport: 'serial-tcp', host: server.host, port: server.port }) };
}

function serialPort(attach: Attach): ByteBus {
  const pty = openPty();
  const detach = attach(pty.line);
  running.push({
    stop: async () => {
      detach();
      pty.close();
    },
  });
  return busTo({ transport: 'serial', path: pty.path });
}

const home = (nowMs = NOON) => simulatedHome(new ManualClock(nowMs));

async function readAll(hardware: Hardware): Promise<Record<string, MetricValue>[]> {
  return (await hardware.poll()).map((reading) => Object.fromEntries(reading));
}

const sumOf = (readings: readonly Record<string, MetricValue>[], name: string): number =>
  readings.reduce((sum, reading) => sum + Number(reading[name]), 0);

describe.concurrent('a Pylontech stack on RS485', () => {
  it.each([
    ['charging at noon', NOON, 4],
    ['discharging at midnight, in modules of more than 65 Ah', MIDNIGHT, 2],
  ])('each module is a unit, %s', async (_when, nowMs, modules) => {
    const plant = home(nowMs);
    const { bus } = await plugIn(pylontechRs485(plant, { modules }));
    const hardware = await family.open(bus, RS485);
    expect(hardware.units.map(({ kind, model }) => [kind, model])).toEqual(
      Array.from({ length: modules }, (_, index) => ['batteries', index === 0 ? 'US5000' : null]),
    );
    const readings = await readAll(hardware);
    expect(sumOf(readings, 'Current')).toBeCloseTo(plant.reading.batteryA, 0);
    expect(Math.abs(sumOf(readings, 'Power') - plant.reading.batteryW)).toBeLessThan(40);
    expect(readings[1]).toMatchObject({
      Capacity: 200 / modules,
      'State of charge': Math.round(plant.reading.stateOfChargePct),
      'Charge state': nowMs === NOON ? 'Charging' : 'Discharging',
      'Serial number': 'HGPT000000000002',
      'Firmware version': '67.5.0',
      'Charge voltage limit': 56.8,
      'Cell high voltage limit': 3.65,
      Alarms: 'None',
    });
    for (const [index, { quantities }] of hardware.units.entries()) {
      expect(Object.keys(readings[index] ?? {})).toEqual(quantities.map(({ name }) => name));
    }
  });

  it('the modules are read one by one when the master does not answer for all', async () => {
    const plant = home();
    const { bus } = await plugIn(pylontechRs485(plant, { modules: 3, together: false }));
    const readings = await readAll(await family.open(bus, RS485));
    expect(readings).toHaveLength(3);
    expect(sumOf(readings, 'Current')).toBeCloseTo(plant.reading.batteryA, 0);
  });

  it('a stack is read over a serial port', async () => {
    const hardware = await family.open(serialPort(pylontechRs485(home())), RS485);
    expect(await readAll(hardware)).toHaveLength(4);
  });

  it('identities are present in every poll, and only reads are sent', async () => {
    const line = new LineFaults();
    const { bus } = await plugIn(line.between(pylontechRs485(home(), { modules: 2 })));
    const hardware = await family.open(bus, RS485);
    for (let poll = 0; poll < 8; poll++) {
      expect((await readAll(hardware)).map((reading) => reading['Serial number'])).toEqual([
        'HGPT000000000001',
        'HGPT000000000002',
      ]);
    }
    const sent = Buffer.concat(line.requests).toString('latin1').split('\r').slice(0, -1);
    for (const frame of sent) expect(frame).toMatch(/^~200[23]46(42|44|47|51|92|93|96)/);
    await expect(hardware.write(0, 'Capacity', 1)).rejects.toThrow(RangeError);
  });

  it('identities and limits are read in turn, with their times', async () => {
    const clock = new ManualClock(NOON);
    const { bus } = await plugIn(pylontechRs485(home(), { modules: 2 }));
    const hardware = await family.open(bus, RS485, clock);
    for (let poll = 1; poll <= 3; poll++) {
      clock.advance(1_000);
      await hardware.poll();
    }
    const timeOf = (unit: number, name: string) =>
      wallAt(clock, hardware.readAt?.(unit, name) ?? Number.NaN) - NOON;
    expect(timeOf(0, 'Manufacturer')).toBe(1_000);
    expect(timeOf(0, 'Serial number')).toBe(2_000);
    expect(timeOf(0, 'Firmware version')).toBe(3_000);
    expect(timeOf(0, 'Cell high voltage limit')).toBe(0);
    expect(timeOf(1, 'Serial number')).toBe(0);
    for (const name of ['Voltage', 'Power', 'Charge voltage limit', 'Alarms']) {
      expect(hardware.readAt?.(0, name), name).toBeUndefined();
    }
  });

  it('a removed module has no values, and a new one needs reopening', async () => {
    const plant = home();
    let modules = 3;
    const { bus, server } = await plugIn((line) => pylontechRs485(plant, { modules })(line));
    const hardware = await family.open(bus, RS485);
    const become = (count: number): void => {
      modules = count;
      server.breakConnections();
    };

    become(2);
    const [first, second, third] = await readAll(hardware);
    expect([first?.Voltage, second?.Voltage]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(third).not.toHaveProperty('Voltage');
    expect([0, 1, 2].map((unit) => hardware.isGone?.(unit))).toEqual([false, false, true]);
    expect([hardware.needsReopen, hardware.hasShrunk]).toEqual([false, true]);

    become(4);
    expect(await readAll(hardware)).toHaveLength(3);
    expect([hardware.needsReopen, hardware.hasShrunk]).toEqual([true, false]);
  });

  it('an address without a battery is not recognised', async () => {
    const { bus } = await plugIn(pylontechRs485(home()));
    await expect(family.open(bus, { ...RS485, unit: 9 })).rejects.toThrow(NotRecognised);
  });
});

describe.concurrent('a Pylontech stack on a bad line', () => {
  const another = encodeFrame({ version: 0x20, address: 3, code: 0, info: Uint8Array.of(3, 1) });

  it.each(['corrupt', 'truncate', 'foreign', 'double', 'cut'] as const)(
    'a %s answer leaves every value right',
    async (fault) => {
      const line = new LineFaults();
      line.foreign = another;
      const { bus } = await plugIn(line.between(pylontechRs485(home())));
      const hardware = await family.open(bus, RS485);
      const before = await readAll(hardware);
      const { dropped } = bus.traffic;
      line.behave(fault, 1);
      expect(await readAll(hardware)).toEqual(before);
      if (fault !== 'cut') expect(bus.traffic.dropped).toBeGreaterThan(dropped);
    },
  );

  it.each(['corrupt', 'truncate'] as const)('the values of a %s answer are missing', async (fault) => {
    const line = new LineFaults();
    const hardware = await family.open(serialPort(line.between(pylontechRs485(home()))), RS485);
    line.behave(fault, 2);
    const [reading] = await readAll(hardware);
    expect(reading).not.toHaveProperty('Voltage');
    expect(reading).toMatchObject({ Alarms: 'None', 'Charge voltage limit': 56.8 });
  });

  it('a late answer is not taken for the answer to another request', async () => {
    const line = new LineFaults();
    const { bus } = await plugIn(line.between(pylontechRs485(home())));
    const hardware = await family.open(bus, RS485);
    const [before] = await readAll(hardware);
    line.behave('hold', 1);
    const [held] = await readAll(hardware);
    expect(held).not.toHaveProperty('Voltage');
    line.release();
    expect((await readAll(hardware))[0]).toEqual(before);
  });

  it('the link is down in silence and recovers afterwards', async () => {
    const line = new LineFaults();
    const { bus } = await plugIn(line.between(pylontechRs485(home())));
    const hardware = await family.open(bus, RS485);
    line.behave('silent');
    await expect(hardware.poll()).rejects.toThrow(LinkDown);
    await expect(family.open(bus, EITHER)).rejects.toThrow(LinkDown);
    line.behave('none');
    expect(await readAll(hardware)).toHaveLength(4);
  });
});

describe.concurrent('a Pylontech console', () => {
  it.each([
    ['as configured', CONSOLE],
    ['found out', EITHER],
  ])('each module of the console is a unit: %s', async (_how, target) => {
    const plant = home();
    const { bus } = await plugIn(pylontechConsole(plant, { modules: 3 }));
    const hardware = await family.open(bus, target);
    expect(hardware.units.map(({ model }) => model)).toEqual(['US5000', 'US5000', 'US5000']);
    const readings = await readAll(hardware);
    expect(sumOf(readings, 'Current')).toBeCloseTo(plant.reading.batteryA, 0);
    expect(readings[2]).toMatchObject({
      'Serial number': 'HGPT000000000003',
      'Firmware version': 'B67.5.0',
      'State of charge': Math.round(plant.reading.stateOfChargePct),
      'Charge state': 'Charging',
      Alarms: 'None',
    });
    const { dropped } = bus.traffic;
    await hardware.poll();
    expect(bus.traffic.dropped, 'prompts are no dropped frames').toBe(dropped);
  });

  it('a module that the console no longer lists is gone', async () => {
    const plant = home();
    let modules = 3;
    const { bus, server } = await plugIn((line) => pylontechConsole(plant, { modules })(line));
    const hardware = await family.open(bus, CONSOLE);
    await hardware.poll();
    expect(hardware.hasShrunk).toBe(false);
    modules = 2;
    server.breakConnections();
    await vi.waitFor(async () => expect(await readAll(hardware)).toHaveLength(3), PATIENCE);
    expect([0, 1, 2].map((unit) => hardware.isGone?.(unit))).toEqual([false, false, true]);
    expect(hardware.hasShrunk).toBe(true);
  });

  it('the details of the modules are read in turn, with their times', async () => {
    const clock = new ManualClock(NOON);
    const { bus } = await plugIn(pylontechConsole(home(), { modules: 3 }));
    const hardware = await family.open(bus, CONSOLE, clock);
    clock.advance(1_000);
    await hardware.poll();
    const times = [0, 1].map((unit) => hardware.readAt?.(unit, 'Serial number') ?? Number.NaN);
    expect(times.map((readAt) => wallAt(clock, readAt) - NOON)).toEqual([1_000, 0]);
    expect(hardware.readAt?.(0, 'Voltage')).toBeUndefined();
  });

  it.each(['corrupt', 'silent'] as const)(
    'a poll fails with LinkDown on a line that is %s',
    async (fault) => {
      const line = new LineFaults();
      const { bus } = await plugIn(line.between(pylontechConsole(home())));
      const hardware = await family.open(bus, CONSOLE);
      line.behave(fault);
      await expect(hardware.poll()).rejects.toThrow(LinkDown);
      line.behave('none');
      await vi.waitFor(async () => expect(await readAll(hardware)).toHaveLength(4), PATIENCE);
    },
  );

  it('the console is distinguished from RS485', async () => {
    const { bus } = await plugIn(pylontechConsole(home()));
    await expect(family.open(bus, RS485)).rejects.toThrow(NotRecognised);
  });

  it('the answer to another command is not accepted', async () => {
    const line = new LineFaults();
    const other = 'info 1\r\n@\r\nDevice address : 1\r\nCommand completed successfully\r\n$$\r\n\r\npylon>';
    line.foreign = Buffer.from(other, 'latin1');
    const { bus } = await plugIn(line.between(pylontechConsole(home())));
    const hardware = await family.open(bus, CONSOLE);
    const before = await readAll(hardware);
    line.behave('foreign', 1);
    expect(await readAll(hardware)).toEqual(before);
  });

  it('a console without the command is not recognised', async () => {
    const { bus } = await plugIn((line) => {
      const answer = () => line.write("pwr\r\n@\r\nUnknown command 'pwr'\r\n$$\r\npylon>");
      line.on('data', answer);
      return () => line.off('data', answer);
    });
    await expect(family.open(bus, CONSOLE)).rejects.toThrow(NotRecognised);
  });
});
