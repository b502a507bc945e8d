import { type Attach, LineFaults, rtuUnits } from '@heliograph/dev/serial';
import { ManualClock, systemClock } from '@heliograph/kit';
import { describe, expect, it, vi } from 'vitest';
import { gatewayTestLine, serialTestLine, type TestLine } from '../../test/bus/places.ts';
import { PATIENCE, runningUntilTheEnd } from '../../test/running.ts';
import { LinkDown, WriteUnanswered } from './failures.ts';
import { rtuFrame } from './modbus/framing/rtu.ts';
import { type ModbusBus, ModbusException } from './modbus/modbus-bus.ts';
import { openModbusBus } from './open-bus.ts';

const LINE = { baudRate: 115_200, parity: 'none', stopBits: 1 } as const;
/** Short, so that silence is noticed soon, and far longer than any answer here takes. */
const REQUEST_TIMEOUT_MS = 300;
/** For lines on which every answer comes, however busy the machine is. */
const PATIENT_MS = 20_000;
/** Longer than a test may take. */
const ENDLESS_MS = 10 * 60_000;
/** Longer than any wait between two attempts to connect. */
const REDIAL_WAIT_MS = 5_000;

const ABSENT_UNIT = 9;

const running = runningUntilTheEnd();

/** Units 1 and 2 on a line, and a bus to them. */
async function startAt(put: (device: Attach) => Promise<TestLine>, answerTimeoutMs = REQUEST_TIMEOUT_MS) {
  const reads: number[] = [];
  const writes: { unitId: number; address: number; values: readonly number[] }[] = [];
  const units = rtuUnits(
    {
      readRange: (unitId, address, count) => {
        reads.push(address);
        if (address + count > 200) return undefined;
        return Array.from({ length: count }, (_, index) => (address + index) * 3 + unitId);
      },
      write: (unitId, address, values) => {
        writes.push({ unitId, address, values });
        if (values.includes(666)) throw new Error('out of range');
      },
    },
    [1, 2],
  );
  const faults = new LineFaults();
  const clock = new ManualClock(Date.UTC(2026, 5, 1));
  const place = await put(faults.between(units));
  const bus = openModbusBus(place.address, LINE, clock, { answerTimeoutMs });
  running.push(place, { stop: () => bus.close() });
  return { reads, writes, units, faults, clock, place, bus };
}

const atSerialPort = (device: Attach) => serialTestLine(device, 'modbus-rtu');

describe.concurrent.each([
  ['a bus over a serial port', atSerialPort],
  ['a gateway', (device: Attach) => gatewayTestLine(device, 'modbus-rtu-tcp')],
])('%s', (_name, put) => {
  it('registers of the requested unit are read, many times over one connection', async () => {
    const { bus } = await startAt(put, PATIENT_MS);
    expect(await bus.read(1, 10, 3)).toEqual([31, 34, 37]);
    expect(await bus.read(2, 10, 1)).toEqual([32]);
    expect(await bus.read(1, 0, 125)).toHaveLength(125);
    const requested = Array.from({ length: 40 }, (_, index) => index);
    const answers = await Promise.all(requested.map((address) => bus.read(1, address, 1)));
    expect(answers).toEqual(requested.map((address) => [address * 3 + 1]));
    expect(bus.traffic).toEqual({ requests: 43, answered: 43, silent: 0, dropped: 0 });
  });

  it('one register is written with function 6, or with 16 on request, and several with 16', async () => {
    const { writes, faults, bus } = await startAt(put, PATIENT_MS);
    await bus.write(1, 7, [42]);
    await bus.write(1, 7, [43], { alwaysMultiple: true });
    await bus.write(2, 8, [1, 0xffff]);
    expect(writes).toEqual([
      { unitId: 1, address: 7, values: [42] },
      { unitId: 1, address: 7, values: [43] },
      { unitId: 2, address: 8, values: [1, 0xffff] },
    ]);
    expect(faults.requests.map((request) => request[1])).toEqual([6, 16, 16]);
  });

  it.each([
    ['a register that is not there', (bus: ModbusBus) => bus.read(1, 500, 1), 2],
    ['a value that is refused', (bus: ModbusBus) => bus.write(1, 0, [666]), 3],
  ])('an exception has the code of %s', async (_what, request, code) => {
    const { bus } = await startAt(put, PATIENT_MS);
    const refused = request(bus);
    await expect(refused).rejects.toThrow(ModbusException);
    await expect(refused).rejects.toMatchObject({ code });
    expect(await bus.read(1, 0, 1)).toEqual([1]);
    expect(bus.traffic).toEqual({ requests: 2, answered: 2, silent: 0, dropped: 0 });
  });

  it('a read of a silent unit ends at its deadline, is not repeated, and other units go on', async () => {
    const { bus } = await startAt(put);
    const silence = bus.read(ABSENT_UNIT, 5, 1);
    const other = bus.read(1, 5, 1);
    await expect(silence).rejects.toThrow(/unit 9 did not answer within 300 ms/);
    expect(await other).toEqual([16]);
    expect(bus.traffic).toEqual({ requests: 2, answered: 1, silent: 1, dropped: 0 });
  });

  it.each([
    ['truncate', REQUEST_TIMEOUT_MS],
    // A whole frame came, so the read does not wait for another.
    ['corrupt', ENDLESS_MS],
  ] as const)('a read is repeated after an answer with the fault %s', async (fault, answerTimeoutMs) => {
    const { faults, bus } = await startAt(put, answerTimeoutMs);
    faults.behave(fault, 1);
    expect(await bus.read(1, 5, 2)).toEqual([16, 19]);
    expect(bus.traffic).toEqual({ requests: 2, answered: 1, silent: 0, dropped: 1 });
  });

  it.each(['truncate', 'corrupt'] as const)(
    'a read ends in LinkDown after two answers: %s',
    async (fault) => {
      const { reads, faults, bus } = await startAt(put);
      faults.behave(fault);
      await expect(bus.read(1, 5, 2)).rejects.toThrow(LinkDown);
      expect(reads).toHaveLength(2);
      expect(bus.traffic).toMatchObject({ requests: 2, answered: 0, silent: 0, dropped: 2 });
    },
  );

  it('an answer that comes twice is never taken for the answer to the next request', async () => {
    const { faults, bus } = await startAt(put, PATIENT_MS);
    faults.behave('double');
    for (let address = 0; address < 10; address++) {
      expect(await bus.read(1, address, 1)).toEqual([address * 3 + 1]);
    }
    expect(bus.traffic.dropped).toBeGreaterThanOrEqual(9);
    expect(bus.traffic.answered).toBe(10);
  });

  it('a late answer is never taken for that of another request of the same shape', async () => {
    const { faults, bus } = await startAt(put);
    faults.behave('hold', 1);
    await expect(bus.read(1, 5, 1)).rejects.toThrow(LinkDown);
    expect(faults.held).toBe(1);
    const next = bus.read(1, 6, 1);
    faults.release();
    expect(await next).toEqual([19]);
    expect(bus.traffic).toMatchObject({ requests: 2, answered: 1, silent: 1 });
  });

  it('another unit does not get a late answer', async () => {
    const { faults, bus } = await startAt(put);
    faults.behave('hold', 1);
    await expect(bus.read(1, 5, 1)).rejects.toThrow(LinkDown);
    const next = bus.read(2, 5, 1);
    faults.release();
    expect(await next).toEqual([17]);
  });

  it.each([
    ['of another unit', rtuFrame(7, Buffer.from([3, 2, 0, 99]))],
    ['of another function', rtuFrame(1, Buffer.from([4, 2, 0, 99]))],
    ['of another length', rtuFrame(1, Buffer.from([3, 4, 0, 99, 0, 99]))],
    ['of a write', rtuFrame(1, Buffer.from([6, 0, 5, 0, 99]))],
    ['that is noise', Buffer.from([0xff, 0, 1, 3])],
  ])('a frame %s is skipped and counted', async (_what, frame) => {
    const { faults, bus } = await startAt(put, PATIENT_MS);
    faults.foreign = frame;
    faults.behave('foreign');
    expect(await bus.read(1, 5, 1)).toEqual([16]);
    expect(bus.traffic).toEqual({ requests: 1, answered: 1, silent: 0, dropped: 1 });
  });

  it('the echo of another write is not taken for the answer to this one', async () => {
    const { faults, bus } = await startAt(put, PATIENT_MS);
    faults.foreign = rtuFrame(1, Buffer.from([6, 0, 7, 0, 43]));
    faults.behave('foreign');
    await bus.write(1, 7, [42]);
    expect(bus.traffic).toEqual({ requests: 1, answered: 1, silent: 0, dropped: 1 });
  });

  it.each(['silent', 'truncate', 'corrupt', 'cut'] as const)(
    'a write is sent exactly once, and its outcome is unknown: %s',
    async (fault) => {
      const { writes, faults, bus } = await startAt(put);
      faults.behave(fault);
      await expect(bus.write(1, 7, [42])).rejects.toThrow(WriteUnanswered);
      expect(writes).toEqual([{ unitId: 1, address: 7, values: [42] }]);
    },
  );

  it('a write whose time is over when its turn comes is not sent', async () => {
    const { writes, faults, bus } = await startAt(put);
    const giveUp = new AbortController();
    faults.behave('hold', 1);
    const before = bus.read(1, 5, 1);
    const write = bus.write(1, 7, [42], { signal: giveUp.signal });
    await vi.waitFor(() => expect(faults.held).toBe(1), PATIENCE);
    giveUp.abort();
    await expect(write, 'said at once').rejects.toThrow(LinkDown);
    faults.release();
    await before;
    expect(await bus.read(1, 5, 1)).toEqual([16]);
    expect(writes).toEqual([]);
    expect(bus.traffic.requests).toBe(2);
  });

  it('a write aborted while a late answer is awaited is not sent', async () => {
    const { writes, faults, bus } = await startAt(put);
    faults.behave('silent', 1);
    await expect(bus.write(1, 7, [41])).rejects.toThrow(WriteUnanswered);
    const giveUp = new AbortController();
    const write = bus.write(1, 7, [42], { signal: giveUp.signal });
    giveUp.abort();
    await expect(write).rejects.toThrow(LinkDown);
    expect(writes).toHaveLength(1);
  });

  // After the others of its suite, here and below: none of them takes its port while it is unplugged.
  it('a device is found again after it was unplugged and plugged in', { concurrent: false }, async () => {
    const { writes, clock, place, bus } = await startAt(put);
    expect(await bus.read(1, 5, 1)).toEqual([16]);
    await place.unplug();
    await expect(bus.read(1, 5, 1)).rejects.toThrow(LinkDown);
    await expect(bus.write(1, 7, [42]), 'nothing was sent').rejects.toThrow(LinkDown);
    await place.replug();
    clock.advance(REDIAL_WAIT_MS);
    expect(await bus.read(1, 5, 1)).toEqual([16]);
    expect(writes).toEqual([]);
  });

  it('the outcome of a write is unknown when the line is unplugged during it', {
    concurrent: false,
  }, async () => {
    const { writes, faults, place, bus } = await startAt(put);
    faults.behave('silent');
    const write = bus.write(1, 7, [42]);
    await vi.waitFor(() => expect(writes).toHaveLength(1), PATIENCE);
    await Promise.all([place.unplug(), expect(write).rejects.toThrow(WriteUnanswered)]);
    await place.replug();
  });

  it('a close fails the request under way and those behind it at once', async () => {
    const { reads, writes, faults, bus } = await startAt(put);
    faults.behave('silent');
    const requests = [bus.read(1, 0, 1), bus.write(1, 1, [1])];
    await vi.waitFor(() => expect(reads).toHaveLength(1), PATIENCE);
    await Promise.all([bus.close(), ...requests.map((request) => expect(request).rejects.toThrow(LinkDown))]);
    expect(writes).toEqual([]);
  });

  it('a dead bus does not delay another', async () => {
    const { reads, units, faults, clock, place } = await startAt(put);
    const dead = openModbusBus(place.address, LINE, clock, { answerTimeoutMs: ENDLESS_MS });
    faults.behave('silent');
    const silence = dead.read(1, 0, 1);
    await vi.waitFor(() => expect(reads).toHaveLength(1), PATIENCE);
    const otherPlace = await serialTestLine(units, 'modbus-rtu');
    const other = openModbusBus(otherPlace.address, LINE, clock);
    for (let address = 0; address < 10; address++) {
      expect(await other.read(2, address, 1)).toEqual([address * 3 + 2]);
    }
    await Promise.all([dead.close(), expect(silence, 'still under way').rejects.toThrow(/closed here/)]);
    await other.close();
    await otherPlace.stop();
  });
});

describe('a bus over a serial port', () => {
  it('a port that cannot be opened fails with a reason for people', async () => {
    const missing = openModbusBus(
      { transport: 'modbus-rtu', path: '/dev/heliograph-none' },
      LINE,
      systemClock,
    );
    await expect(missing.read(1, 0, 1)).rejects.toThrow(/there is no \/dev\/heliograph-none/);
    const file = openModbusBus({ transport: 'modbus-rtu', path: '/dev/null' }, LINE, systemClock);
    await expect(file.read(1, 0, 1)).rejects.toThrow(/\/dev\/null is no serial port/);
  });

  it('the port is opened again after three requests without an answer: it may have been unplugged unnoticed', async () => {
    const place = await serialTestLine(() => () => {}, 'modbus-rtu');
    const times = { answerTimeoutMs: 20 };
    const first = openModbusBus(place.address, LINE, systemClock, times);
    const clock = new ManualClock(0);
    const second = openModbusBus(place.address, LINE, clock, times);
    for (const unitId of [1, 2]) await expect(first.read(unitId, 0, 1)).rejects.toThrow(/did not answer/);
    await expect(second.read(1, 0, 1)).rejects.toThrow(/is open in another program/);
    await expect(first.read(3, 0, 1)).rejects.toThrow(/did not answer/);
    await expect(first.read(4, 0, 1), 'opened by the same bus').rejects.toThrow(/did not answer/);
    await first.close();
    clock.advance(REDIAL_WAIT_MS);
    await expect(second.read(1, 0, 1), 'free at once').rejects.toThrow(/did not answer/);
    await second.close();
    await place.stop();
  });

  it('a write is not sent when the port is unplugged before its turn', async () => {
    const { writes, faults, place, bus } = await startAt(atSerialPort);
    faults.behave('silent');
    await expect(bus.write(1, 7, [41])).rejects.toThrow(WriteUnanswered);
    const write = bus.write(1, 7, [42]);
    await Promise.all([place.unplug(), expect(write).rejects.toThrow(LinkDown)]);
    expect(writes).toEqual([{ unitId: 1, address: 7, values: [41] }]);
  });

  it('the port is opened by one program alone', async () => {
    const { place } = await startAt(atSerialPort);
    const first = openModbusBus(place.address, LINE, systemClock);
    const second = openModbusBus(place.address, LINE, systemClock);
    await first.read(1, 0, 1);
    await expect(second.read(1, 0, 1)).rejects.toThrow(/is open in another program/);
    await first.close();
    await second.close();
  });
});
