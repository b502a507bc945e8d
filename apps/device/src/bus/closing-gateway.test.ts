import { type RegisterBank, startFaultyLink, startRegisterServer } from '@heliograph/dev/modbus';
import { LineFaults, rtuUnits, serveLine, solarmanLogger } from '@heliograph/dev/serial';
import { ManualClock } from '@heliograph/kit';
import { describe, expect, it } from 'vitest';
import { runningUntilTheEnd } from '../../test/running.ts';
import { openModbusBus } from './open-bus.ts';

const LINE = { baudRate: 115_200, parity: 'none', stopBits: 1 } as const;
const LOGGER = 2_712_345_678;
/** Longer than a gateway takes to close after an answer. */
const IDLE_MS = 1_000;

const running = runningUntilTheEnd();

interface Gateway {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  behave(fault: 'close' | 'none'): void;
  stop(): Promise<void>;
}

async function tcpGateway(bank: RegisterBank): Promise<Gateway> {
  const server = await startRegisterServer({ host: '127.0.0.1', port: 0, ...bank });
  running.push(server);
  return startFaultyLink(server);
}

const lineGateway =
  (device: (bank: RegisterBank) => ReturnType<typeof rtuUnits>, closesAfterMs: number) =>
  async (bank: RegisterBank): Promise<Gateway> => {
    const faults = new LineFaults();
    faults.closesAfterMs = closesAfterMs;
    const served = await serveLine(faults.between(device(bank)));
    return Object.assign(served, { behave: (fault: 'close' | 'none') => faults.behave(fault) });
  };

const logger = (bank: RegisterBank) => solarmanLogger(bank, { logger: LOGGER });

describe.each([
  ['modbus-tcp', 'closes right behind each answer', tcpGateway],
  ['modbus-rtu-tcp', 'closes right behind each answer', lineGateway(rtuUnits, 0)],
  ['modbus-rtu-tcp', 'closes 10 ms after each answer', lineGateway(rtuUnits, 10)],
  ['solarman', 'closes right behind each answer', lineGateway(logger, 0)],
  ['solarman', 'closes 10 ms after each answer', lineGateway(logger, 10)],
] as const)('a gateway over %s that %s', (transport, _when, serve) => {
  async function startGateway() {
    const register = { content: 5 };
    const gateway = await serve({
      readRange: (_unitId, _address, count) => new Array<number>(count).fill(register.content),
      write: (_unitId, _address, [content = 0]) => {
        register.content = content;
      },
    });
    gateway.behave('close');
    const { host, port } = gateway;
    const clock = new ManualClock(0);
    const address =
      transport === 'solarman' ? { transport, host, port, logger: LOGGER } : { transport, host, port };
    const bus = openModbusBus(address, LINE, clock);
    running.push(gateway, { stop: () => bus.close() });
    return { bus, clock, gateway, register };
  }

  it('each request gets a connection of its own after two closings, and is made once', async () => {
    const { bus, gateway } = await startGateway();
    expect(bus.closesAfterAnswers).toBe(false);
    for (let request = 0; request < 4; request++) expect(await bus.read(1, 0, 1)).toEqual([5]);
    expect(bus.closesAfterAnswers).toBe(true);
    const [requests, connections] = [bus.traffic.requests, gateway.connections];
    for (let request = 0; request < 10; request++) await bus.read(1, 0, 1);
    expect([bus.traffic.requests - requests, gateway.connections - connections]).toEqual([10, 10]);
  });

  it('each write is sent once and answered, after the reads before it', async () => {
    const { bus, register } = await startGateway();
    for (let request = 0; request < 4; request++) await bus.read(1, 0, 1);
    const sent = bus.traffic.requests;
    for (let content = 10; content < 15; content++) {
      await bus.read(1, 0, 1);
      await bus.write(1, 0, [content]);
      expect(register.content).toBe(content);
    }
    expect(bus.traffic.requests - sent).toBe(2 * 5);
  });

  it('the gateway is sent requests over one connection again when it keeps it open', async () => {
    const { bus, clock, gateway } = await startGateway();
    for (let request = 0; request < 4; request++) await bus.read(1, 0, 1);
    gateway.behave('none');
    for (let request = 0; request < 3; request++) await bus.read(1, 0, 1);
    expect(bus.closesAfterAnswers, 'not open for long yet').toBe(true);
    clock.advance(IDLE_MS);
    await bus.read(1, 0, 1);
    expect(bus.closesAfterAnswers).toBe(false);
    const { connections } = gateway;
    for (let request = 0; request < 10; request++) await bus.read(1, 0, 1);
    await bus.write(1, 0, [6]);
    expect(gateway.connections).toBe(connections);
  });
});

it('a write over a connection that ended meanwhile goes out over a new one', async () => {
  const writes: number[] = [];
  const gateway = await lineGateway(
    rtuUnits,
    0,
  )({
    readRange: () => [5],
    write: (_unitId, _address, [content = 0]) => void writes.push(content),
  });
  const { host, port } = gateway;
  const bus = openModbusBus({ transport: 'modbus-rtu-tcp', host, port }, LINE, new ManualClock(0));
  running.push(gateway, { stop: () => bus.close() });
  gateway.behave('close');
  await bus.read(1, 0, 1);
  await bus.write(1, 0, [6]);
  expect([writes, bus.traffic.requests]).toEqual([[6], 2]);
});
