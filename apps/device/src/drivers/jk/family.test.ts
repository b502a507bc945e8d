import { simulatedHome } from '@heliograph/dev/plant';
import { jkPb, jkUart } from '@heliograph/dev/plant/jk';
import { type Attach, LineFaults, openPty, serveLine } from '@heliograph/dev/serial';
import { ManualClock, systemClock, wallAt } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import { describe, expect, it, vi } from 'vitest';
import { PATIENCE, runningUntilTheEnd } from '../../../test/running.ts';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import { openByteBus } from '../../bus/open-bus.ts';
import { type Hardware, NotRecognised } from '../driver.ts';
import { jk, jkFamily } from './family.ts';
import { acknowledgement, encodePbRequest, pbRule } from './pb-frame.ts';

const NOON = Date.UTC(2026, 5, 21, 12);
const MIDNIGHT = Date.UTC(2026, 5, 21, 0);

/** Without the gap that real units need. */
const family = (timeoutMs: number) =>
  jkFamily({ uart: { gapMs: 0, timeoutMs }, pb: { gapMs: 0, timeoutMs } });
const patient = family(2_000);
/** For requests without an answer; long enough for a busy machine. */
const impatient = family(500);
const UART = { unit: undefined, options: {} };
const PB = { unit: 1, options: { protocol: 'pb' } };

const running = runningUntilTheEnd();

async function plugIn(attach: Attach): Promise<ByteBus> {
  const server = await serveLine(attach);
  const address = { transport: 'serial-tcp', host: server.host, port: server.port } as const;
  const bus = openByteBus(address, jk.line, systemClock);
  running.push(server, { stop: () => bus.close() });
  return bus;
}

const home = (nowMs = NOON) => simulatedHome(new ManualClock(nowMs));
const uart = (nowMs?: number) => jkUart(home(nowMs), { restMs: 0 });

async function read(hardware: Hardware): Promise<Record<string, MetricValue>> {
  return Object.fromEntries((await hardware.poll())[0] ?? []);
}

describe.concurrent.each([
  ['the classic protocol', UART, uart, 'JK-B2A24S20P', '11.XW_S11.26', 'Enabled'],
  ['the JK-PB protocol', PB, (nowMs?: number) => jkPb(home(nowMs)), 'JK_PB2A16S20P', '15.38', 'On'],
])('JkHardware with %s', (_protocol, target, device, model, firmware, balancing) => {
  it.each([
    ['charging at noon', NOON],
    ['discharging at midnight', MIDNIGHT],
  ])('the readings are those of the battery %s', async (_when, nowMs) => {
    const plant = home(nowMs);
    plant.advance();
    const hardware = await patient.open(await plugIn(device(nowMs)), target);
    expect(hardware.units).toHaveLength(1);
    expect(hardware.units[0]).toMatchObject({ kind: 'batteries', model });
    const reading = await read(hardware);
    expect(reading.Current).toBeCloseTo(plant.reading.batteryA, 1);
    expect(Math.abs(Number(reading.Power) - plant.reading.batteryW)).toBeLessThan(20);
    expect(reading).toMatchObject({
      'State of charge': Math.round(plant.reading.stateOfChargePct),
      Capacity: 200,
      'Cell count': 16,
      'Max charge current': 100,
      'Charge MOSFET': 'On',
      'Charge switch': 'On',
      Balancing: balancing,
      'Firmware version': firmware,
      Alarms: 'None',
    });
    expect(Object.keys(reading)).toEqual(hardware.units[0]?.quantities.map(({ name }) => name));
  });

  it('a BMS is read over a serial port', async () => {
    const pty = openPty();
    const detach = device()(pty.line);
    const bus = openByteBus({ transport: 'serial', path: pty.path }, jk.line, systemClock);
    running.push({ stop: async () => pty.close() }, { stop: () => bus.close() });
    expect(await read(await patient.open(bus, target))).toHaveProperty('Voltage');
    detach();
  });

  it.each(['corrupt', 'truncate', 'double', 'cut'] as const)(
    'a single %s answer leaves every value right',
    async (fault) => {
      const line = new LineFaults();
      const bus = await plugIn(line.between(device()));
      const hardware = await patient.open(bus, target);
      const before = await read(hardware);
      line.behave(fault, 1);
      expect(await read(hardware)).toEqual(before);
    },
  );

  it('the link is down on a bad line and recovers on a good one', async () => {
    const line = new LineFaults();
    const bus = await plugIn(line.between(device()));
    const hardware = await impatient.open(bus, target);
    for (const fault of ['silent', 'corrupt', 'truncate'] as const) {
      line.behave(fault);
      await expect(hardware.poll()).rejects.toThrow(LinkDown);
    }
    line.behave('none');
    await vi.waitFor(async () => expect(await read(hardware)).toHaveProperty('Voltage'), PATIENCE);
  });

  it('a write throws a RangeError and sends nothing', async () => {
    const line = new LineFaults();
    const bus = await plugIn(line.between(device()));
    const hardware = await patient.open(bus, target);
    await hardware.poll();
    const sent = line.requests.length;
    await expect(hardware.write(0, 'Charge switch', 'Off')).rejects.toThrow(RangeError);
    expect(line.requests).toHaveLength(sent);
  });

  it('the echoes of an adapter are ignored', async () => {
    const echoing: Attach = (line) => {
      const echo = (request: Buffer) => line.write(request);
      line.on('data', echo);
      const detach = device()(line);
      return () => {
        line.off('data', echo);
        detach();
      };
    };
    const bus = await plugIn(echoing);
    expect(await read(await patient.open(bus, target))).toHaveProperty('Voltage');
    expect(bus.traffic.dropped).toBe(0);
  });
});

it.concurrent('settings and identity of a JK-PB are read in turn, with their times', async () => {
  const clock = new ManualClock(NOON);
  const hardware = await patient.open(await plugIn(jkPb(home())), PB, clock);
  const times = () =>
    ['Max charge current', 'Serial number', 'Voltage'].map((name) => {
      const readAt = hardware.readAt?.(0, name);
      return readAt === undefined ? undefined : wallAt(clock, readAt) - NOON;
    });
  clock.advance(1_000);
  await hardware.poll();
  expect(times()).toEqual([1_000, 0, undefined]);
  clock.advance(1_000);
  await hardware.poll();
  expect(times()).toEqual([1_000, 2_000, undefined]);
});

it.concurrent.each([
  ['the classic protocol', 'uart', UART, () => uart(), 3],
  ['the JK-PB protocol', 'pb', PB, () => jkPb(home()), 7],
] as const)(
  'the requests of %s keep their gap, also those of polls at the same time',
  async (_protocol, times, target, device, least) => {
    const gapMs = 60;
    const none = { gapMs: 0, timeoutMs: 2_000 };
    const line = new LineFaults();
    const bus = await plugIn(line.between(device()));
    const startedAt = performance.now();
    const hardware = await jkFamily({ uart: none, pb: none, [times]: { ...none, gapMs } }).open(bus, target);
    await Promise.all([hardware.poll(), hardware.poll()]);
    const gaps = line.requests.length - 1;
    expect(gaps).toBeGreaterThanOrEqual(least - 1);
    // A timer may fire a fraction of a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(gaps * (gapMs - 1));
  },
);

describe.concurrent('several JK-PB on one bus', () => {
  it('the units are distinguished by their acknowledgements', async () => {
    const [noon, midnight] = [home(NOON), home(MIDNIGHT)];
    const bus = await plugIn((line) => {
      const detach = [jkPb(noon, { unit: 1 })(line), jkPb(midnight, { unit: 2 })(line)];
      return () => {
        for (const one of detach) one();
      };
    });
    const first = await patient.open(bus, PB);
    const second = await patient.open(bus, { ...PB, unit: 2 });
    const [one, other] = await Promise.all([read(first), read(second)]);
    expect(one.Current).toBeCloseTo(noon.reading.batteryA, 1);
    expect(other.Current).toBeCloseTo(midnight.reading.batteryA, 1);
    await expect(impatient.open(bus, { ...PB, unit: 3 })).rejects.toThrow(LinkDown);
  });

  it('the units have response keys of their own, so none waits for the late answer of another', () => {
    const keys = [1, 2, 3].map((unit) => pbRule(unit, 'status', 1_000).responseKey);
    expect(new Set(keys).size).toBe(3);
  });

  it('the record of another unit is not accepted', async () => {
    const line = new LineFaults();
    const bus = await plugIn(line.between(jkPb(home())));
    const hardware = await patient.open(bus, PB);
    const before = await read(hardware);
    line.foreign = await answerOf(jkPb(home(MIDNIGHT), { unit: 2 }), 2);
    line.behave('foreign', 1);
    expect(await read(hardware)).toEqual(before);
  });

  it('a unit that refuses its status is not recognised', async () => {
    const bus = await plugIn((line) => {
      // Unit 1, function 16 with the bit of an exception, "no such register", CRC.
      const refuse = () => line.write(Uint8Array.of(0x01, 0x90, 0x02, 0xcd, 0xc1));
      line.on('data', refuse);
      return () => line.off('data', refuse);
    });
    const refused = patient.open(bus, PB);
    await expect(refused).rejects.toThrow(NotRecognised);
    await expect(refused).rejects.toThrow('Modbus exception 2');
  });
});

it.concurrent('a poll of a classic unit within its rest fails with LinkDown', async () => {
  const hardware = await impatient.open(await plugIn(jkUart(home(), { restMs: 60_000 })), UART);
  await expect(hardware.poll()).rejects.toThrow(LinkDown);
});

/** The answer of a device to a request for its status. */
async function answerOf(attach: Attach, unit: number): Promise<Buffer> {
  const line = new LineFaults();
  const bus = await plugIn(line.between(attach));
  const length = 300 + acknowledgement(unit, 'status').length;
  return Buffer.from(
    await bus.read(encodePbRequest(unit, 'status'), {
      timeoutMs: 1_000,
      find: (bytes) =>
        bytes.length < length
          ? { is: 'more' }
          : { is: 'frame', frame: bytes.subarray(0, length), end: length },
    }),
  );
}
