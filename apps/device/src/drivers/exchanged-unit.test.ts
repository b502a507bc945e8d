import { ModbusRefusal, startRegisterServer } from '@heliograph/dev/modbus';
import { serveLine } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import { afterEach, expect, it } from 'vitest';
import { modbusTcpBus } from '../../test/bus/modbus-tcp-bus.ts';
import { registersWith } from '../../test/drivers/deye/registers.ts';
import { bankOf, startRtuInverter } from '../../test/drivers/deye/rtu-inverter.ts';
import { open as openPi30, plugIn } from '../../test/drivers/pi30/plugged-in.ts';
import { REAL } from '../../test/drivers/pi30/real-answers.ts';
import { skippedPauses } from '../../test/drivers/skipped-pauses.ts';
import { REGISTER, startSettableInverter } from '../../test/drivers/sunspec/settable-inverter.ts';
import { answering, block, CHARGER, repeating } from '../../test/drivers/victron/plugged-in.ts';
import { gxWith, serve, stopServed } from '../../test/drivers/victron-gx/gx.ts';
import { answering as answeringCommands } from '../../test/drivers/voltronic/plugged-in.ts';
import { type Stoppable, stopAll } from '../../test/running.ts';
import type { Bus } from '../bus/bus.ts';
import { WriteWithheld } from '../bus/failures.ts';
import { openByteBus } from '../bus/open-bus.ts';
import { openDeye } from './deye/family.ts';
import type { Hardware } from './driver.ts';
import { loadFamilies } from './families/families.ts';
import { frameOf } from './pi30/frame.ts';
import { openSunSpec } from './sunspec/family.ts';
import { openDevice, victron } from './victron/family.ts';
import { COMMAND, parseHex, registerAnswer, registerFrame } from './victron/hex-frame.ts';
import { SERIAL_NUMBER_REGISTER } from './victron/identity-registers.ts';
import { openGx } from './victron-gx/family.ts';

const commandIn = (request: Buffer): string => request.subarray(0, -3).toString('latin1');

const TARGET = { unit: undefined, options: {} };

const running: Stoppable[] = [];
afterEach(async () => {
  await stopAll(running);
  await stopServed();
});

/** A unit with a setting, whose serial number and reads are in its registers. */
interface Place {
  readonly bus: Bus;
  readonly open: () => Promise<Hardware>;
  readonly setting: readonly [name: string, value: number | string];
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

async function pi30(): Promise<Place> {
  const answers: Record<string, string | Buffer> = { ...REAL, QID: '92931701100510' };
  const commands: string[] = [];
  const device = answeringCommands(commandIn, (command) => {
    commands.push(command);
    if (command === 'PEa') answers.QFLAG = 'EabxDjkuvyz';
    const answer = command === 'PEa' ? 'ACK' : (answers[command] ?? 'NAK');
    return typeof answer === 'string' ? frameOf(`(${answer}`) : answer;
  });
  const plugged = await plugIn(device);
  running.push(plugged);
  return {
    bus: plugged.bus,
    open: () => openPi30(plugged),
    setting: ['Buzzer', 'Enabled'],
    requests: () => plugged.bus.traffic.requests,
    writes: () => commands.filter((command) => command === 'PEa').length,
    exchange: () => {
      answers.QID = '92931701100511';
    },
  };
}

async function veDirect(): Promise<Place> {
  const registers: Record<number, readonly number[]> = {
    512: [1],
    60912: [150, 0],
    [SERIAL_NUMBER_REGISTER]: [...Buffer.from('HQ1\0')],
  };
  const writes: number[] = [];
  const text = { ...CHARGER };
  const answer = (frame: string): Uint8Array => {
    const { id = 0, value = [] } = registerAnswer(parseHex(frame)) ?? {};
    if (!frame.startsWith(`:${COMMAND.set}`)) return answering(registers)(frame);
    writes.push(id);
    registers[id] = [...value];
    return registerFrame(COMMAND.set, id, 0, value);
  };
  const served = await serveLine(repeating(() => block(text), answer));
  const { host, port } = served;
  const bus = openByteBus({ transport: 'serial-tcp', host, port }, victron.line, systemClock);
  running.push(served, { stop: () => bus.close() });
  return {
    bus,
    open: () => openDevice(bus, { readBackTime: skippedPauses() }),
    setting: ['Max charge current', 10],
    requests: () => bus.traffic.requests,
    writes: () => writes.length,
    exchange: () => {
      registers[SERIAL_NUMBER_REGISTER] = [...Buffer.from('HQ2\0')];
      text['SER#'] = 'HQ2';
    },
  };
}

it.each([
  ['deye-micro', microInverter, 2],
  ['deye', deyeInverter, 2],
  ['sunspec', sunSpecInverter, 2],
  ['victron-gx', gx, 2],
  ['pi30', pi30, 2],
  ['victron', veDirect, 2],
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
    await expect(hardware.poll()).rejects.toThrow(/ is now .*, not |another device is connected now/);

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
