import { ModbusRefusal, startRegisterServer } from '@heliograph/dev-env/modbus';
import { afterEach, expect, it } from 'vitest';
import { WriteWithheld } from '../bus/failures.ts';
import type { ModbusBus } from '../bus/modbus-bus.ts';
import { modbusTcpBus } from '../bus/testing/modbus-tcp-bus.ts';
import { loadFamilies } from '../families/families.ts';
import { type Stoppable, stopAll } from '../testing/running.ts';
import { openDeye } from './deye/family.ts';
import { registersWith } from './deye/testing/registers.ts';
import { bankOf, startRtuInverter } from './deye/testing/rtu-inverter.ts';
import type { Hardware } from './driver.ts';
import { openSunSpec } from './sunspec/family.ts';
import { REGISTER, startSettableInverter } from './sunspec/testing/settable-inverter.ts';
import { skippedPauses } from './testing/skipped-pauses.ts';
import { openGx } from './victron-gx/family.ts';
import { gxWith, serve, stopServed } from './victron-gx/testing/gx.ts';

const TARGET = { unit: undefined, options: {} };

const running: Stoppable[] = [];
afterEach(async () => {
  await stopAll(running);
  await stopServed();
});

/** A unit with a setting, whose serial number and reads are in its registers. */
interface Place {
  readonly bus: ModbusBus;
  readonly open: () => Promise<Hardware>;
  readonly setting: readonly [name: string, value: number];
  /** How many requests reached it. */
  readonly requests: () => number;
  readonly writes: () => number;
  /** Puts another unit in its place. */
  readonly exchange: () => void;
}

async function microInverter(): Promise<Place & { refuseSerialNumber: (code: number) => void }> {
  const family = (await loadFamilies()).get('deye-micro');
  if (family?.speaks !== 'modbus') return expect.fail('there is no such family');
  const registers = new Map([
    ...[...Array(120).keys()].map((register) => [register, 0] as const),
    ...[4, 0, 0, 13_104, 13_105, 13_106, 13_107, 13_873].map((content, at) => [at, content] as const),
    [18, 513],
    [40, 100],
    [59, 2],
  ]);
  let writes = 0;
  let refusal: number | undefined;
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange: (_unitId, address, count) => {
      if (refusal !== undefined && address <= 7 && address + count > 3) throw new ModbusRefusal(refusal);
      return Array.from({ length: count }, (_, index) => registers.get(address + index) ?? 0);
    },
    write: (_unitId, address, [content = 0]) => {
      writes += 1;
      registers.set(address, content);
    },
  });
  const bus = modbusTcpBus(server);
  running.push(server, { stop: () => bus.close() });
  return {
    bus,
    open: () => family.open(bus, TARGET),
    setting: ['Active power limit', 50],
    requests: () => bus.traffic.requests,
    writes: () => writes,
    exchange: () => void registers.set(7, 13_876),
    refuseSerialNumber: (code) => {
      refusal = code;
    },
  };
}

async function deyeInverter(): Promise<Place> {
  const registers = registersWith(3, { 210: 120 });
  const inverter = await startRtuInverter(bankOf(registers));
  running.push(inverter);
  const { bus } = inverter;
  return {
    bus,
    open: () => openDeye(bus, { unit: 1, options: {} }, skippedPauses()),
    setting: ['Max charge current', 35],
    requests: () => bus.traffic.requests,
    writes: () => inverter.writes.length,
    exchange: () => void registers.set(7, 0x3939),
  };
}

async function sunSpecInverter(): Promise<Place> {
  const inverter = await startSettableInverter();
  running.push(inverter);
  const { bus } = inverter;
  return {
    bus,
    open: () => openSunSpec(bus, { unit: 1, options: {} }, skippedPauses()),
    setting: ['Battery reserve', 20],
    requests: () => bus.traffic.requests,
    writes: () => inverter.writes.length,
    exchange: () => inverter.store(REGISTER.serialNumber, [0x4221]),
  };
}

async function gx(): Promise<Place> {
  const served = await serve([100, gxWith({ 2700: 50, 2703: 50 })]);
  const { bus } = served;
  return {
    bus,
    open: () => openGx(bus, TARGET, skippedPauses()),
    setting: ['Grid setpoint', 100],
    requests: () => bus.traffic.requests,
    writes: () => served.writes.length,
    exchange: () => void served.units.get(100)?.set(805, 0x6165),
  };
}

it.each([
  ['deye-micro', microInverter, 2],
  ['deye', deyeInverter, 2],
  ['sunspec', sunSpecInverter, 2],
  ['victron-gx', gx, 2],
])(
  'a setting is not written to another unit before a poll knows it: %s',
  async (_family, start, requests) => {
    const { open, setting, exchange, ...unit } = await start();
    const hardware = await open();
    await hardware.poll();
    exchange();
    const before = unit.requests();
    const write = hardware.write(0, ...setting);
    await expect(write).rejects.toThrow(WriteWithheld);
    await expect(write).rejects.toMatchObject({ kind: 'exchanged' });
    expect([unit.writes(), unit.requests() - before]).toEqual([0, requests]);
    await expect(hardware.poll()).rejects.toThrow(/ is now .*, not /);

    const opened = await open();
    expect(await opened.write(0, ...setting)).toBe(setting[1]);
    expect(unit.writes()).toBe(1);
  },
);

it.each([4, 6])(
  'a serial number that is refused with exception %i for a moment stops no write, as it stops no poll',
  async (code) => {
    const { open, setting, refuseSerialNumber, writes } = await microInverter();
    const hardware = await open();
    await hardware.poll();
    refuseSerialNumber(code);
    expect(await hardware.write(0, ...setting)).toBe(setting[1]);
    expect(writes()).toBe(1);
  },
);
