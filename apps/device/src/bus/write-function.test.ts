import type { RegisterBank } from '@heliograph/dev/modbus';
import { rtuUnits, type ServedLine, serveLine, solarmanLogger, tcpUnits } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import { describe, expect, it } from 'vitest';
import { runningUntilTheEnd } from '../../test/running.ts';
import { LinkDown } from './failures.ts';
import { ModbusException } from './modbus/modbus-bus.ts';
import { openModbusBus } from './open-bus.ts';

const LINE = { baudRate: 115_200, parity: 'none', stopBits: 1 } as const;
const LOGGER = 2_712_345_678;

const running = runningUntilTheEnd();

const FRAMINGS = [
  ['modbus-tcp', (bank) => serveLine(tcpUnits(bank))],
  ['modbus-rtu-tcp', (bank) => serveLine(rtuUnits(bank, [1, 2]))],
  ['solarman', (bank) => serveLine(solarmanLogger(bank, { logger: LOGGER, unitIds: [1, 2] }))],
] as const satisfies readonly (readonly [string, (bank: RegisterBank) => Promise<ServedLine>])[];

describe.each(FRAMINGS)('writes of one register over %s', (transport, serve) => {
  async function startUnit(known: readonly number[]) {
    const writes: (readonly [unitId: number, address: number, values: readonly number[]])[] = [];
    const writeFunctions = [...known];
    const place: ServedLine = await serve({
      writeFunctions,
      readRange: (_unitId, _address, count) => new Array<number>(count).fill(0),
      write: (unitId, address, values) => void writes.push([unitId, address, [...values]]),
    });
    const { host, port } = place;
    const address =
      transport === 'solarman' ? { transport, host, port, logger: LOGGER } : { transport, host, port };
    const open = () => {
      const bus = openModbusBus(address, LINE, systemClock);
      running.push({ stop: () => bus.close() });
      return bus;
    };
    running.push(place);
    return { bus: open(), open, writes, writeFunctions, breakConnections: () => place.breakConnections() };
  }

  it.each([
    [16, false],
    [6, true],
  ])('a unit that knows function %i alone is written with it', async (known, alwaysMultiple) => {
    const { bus, writes } = await startUnit([known]);
    await bus.write(1, 7, [42], { alwaysMultiple });
    expect(writes).toEqual([[1, 7, [42]]]);
    expect(bus.traffic).toMatchObject({ requests: 2, answered: 2 });
  });

  it('the function is remembered for the unit and the connection', async () => {
    const { bus, open, writes } = await startUnit([16]);
    await bus.write(1, 7, [42]);
    await bus.write(1, 8, [43]);
    expect(bus.traffic.requests).toBe(2 + 1);
    await bus.write(2, 7, [44]);
    expect(bus.traffic.requests).toBe(3 + 2);
    const opened = open();
    await opened.write(1, 7, [45]);
    expect(opened.traffic.requests).toBe(2);
    expect(writes).toEqual([
      [1, 7, [42]],
      [1, 8, [43]],
      [2, 7, [44]],
      [1, 7, [45]],
    ]);
  });

  it('the function is remembered over the next connections of a gateway that closes after each answer', async () => {
    const { bus, writes, breakConnections } = await startUnit([16]);
    await bus.write(1, 7, [42]);
    for (let write = 1; write <= 3; write++) {
      breakConnections();
      await bus.write(1, 7, [42 + write]);
    }
    expect(writes).toHaveLength(4);
    expect(bus.traffic.requests).toBe(2 + 3);
  });

  it('a remembered function that the unit no longer knows is replaced', async () => {
    const { bus, writes, writeFunctions } = await startUnit([16]);
    await bus.write(1, 7, [42]);
    writeFunctions.splice(0, 1, 6);
    await bus.write(1, 7, [43]);
    expect(writes).toHaveLength(2);
  });

  it('a unit that knows neither function refuses', async () => {
    const { bus, writes } = await startUnit([]);
    const refused = bus.write(1, 7, [42]);
    await expect(refused).rejects.toThrow(ModbusException);
    await expect(refused).rejects.toMatchObject({ code: 1 });
    expect([bus.traffic.requests, writes]).toEqual([2, []]);
  });

  it('several registers are written with function 16 alone', async () => {
    const { bus, writes } = await startUnit([6]);
    await expect(bus.write(1, 7, [42, 43])).rejects.toMatchObject({ code: 1 });
    expect([bus.traffic.requests, writes]).toEqual([1, []]);
  });

  it('a write whose time is over after the refusal is not sent', async () => {
    const giveUp = new AbortController();
    const { bus, writes, writeFunctions } = await startUnit([16]);
    writeFunctions.includes = (code) => {
      giveUp.abort();
      return code === 16;
    };
    await expect(bus.write(1, 7, [42], { signal: giveUp.signal })).rejects.toThrow(LinkDown);
    expect([bus.traffic.requests, writes]).toEqual([1, []]);
  });
});
