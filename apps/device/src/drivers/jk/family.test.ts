import { simulatedHome } from '@heliograph/dev-env/plant';
import { jkPb, jkUart } from '@heliograph/dev-env/plant/jk';
import { type Attach, LineFaults, openPty, serveLine } from '@heliograph/dev-env/serial';
import { ManualClock, systemClock } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import { afterEach, describe, expect, it } from 'vitest';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import { openByteBus } from '../../bus/open-bus.ts';
import { type Hardware, NotRecognised } from '../driver.ts';
import { jk, jkFamily } from './family.ts';
import { acknowledgement, encodePbRequest } from './pb-frame.ts';

const NOON = Date.UTC(2026, 5, 21, 12);
const MIDNIGHT = Date.UTC(2026, 5, 21, 0);

/** Without the rest that real units want, and short of breath: some tests wait for what does not come. */
const hasty = jkFamily({
  uart: { gapMs: 0, timeoutMs: 150 },
  pb: { gapMs: 0, timeoutMs: 150 },
});
const UART = { unit: undefined, options: {} };
const PB = { unit: 1, options: { protocol: 'pb' } };

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.stop();
});

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

describe.each([
  ['the classic protocol', UART, uart, 'JK-B2A24S20P', '11.XW_S11.26', 'Enabled'],
  ['the JK-PB protocol', PB, (nowMs?: number) => jkPb(home(nowMs)), 'JK_PB2A16S20P', '15.38', 'On'],
])('%s', (_protocol, target, device, model, firmware, balancing) => {
  it.each([
    ['charging at noon', NOON],
    ['discharging at midnight', MIDNIGHT],
  ])('tells of the battery %s', async (_when, nowMs) => {
    const plant = home(nowMs);
    plant.advance();
    const hardware = await hasty.open(await plugIn(device(nowMs)), target);
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

  it('is read over a serial port', async () => {
    const pty = openPty();
    const detach = device()(pty.line);
    const bus = openByteBus({ transport: 'serial', path: pty.path }, jk.line, systemClock);
    running.push({ stop: async () => pty.close() }, { stop: () => bus.close() });
    expect(await read(await hasty.open(bus, target))).toHaveProperty('Voltage');
    detach();
  });

  it.each(['corrupt', 'truncate', 'double', 'cut'] as const)(
    'never changes a value on a bad line: %s',
    async (fault) => {
      const line = new LineFaults();
      const bus = await plugIn(line.between(device()));
      const hardware = await hasty.open(bus, target);
      const before = await read(hardware);
      line.behave(fault, 1);
      expect(await read(hardware)).toEqual(before);
    },
  );

  it('is down when nothing that makes sense comes, and up again when it does', async () => {
    const line = new LineFaults();
    const bus = await plugIn(line.between(device()));
    const hardware = await hasty.open(bus, target);
    for (const fault of ['silent', 'corrupt', 'truncate'] as const) {
      line.behave(fault);
      await expect(hardware.poll()).rejects.toThrow(LinkDown);
    }
    line.behave('none');
    await expect.poll(() => read(hardware)).toHaveProperty('Voltage');
  });

  it('is never written to', async () => {
    const line = new LineFaults();
    const bus = await plugIn(line.between(device()));
    const hardware = await hasty.open(bus, target);
    await hardware.poll();
    const sent = line.requests.length;
    await expect(hardware.write(0, 'Charge switch', 'Off')).rejects.toThrow(RangeError);
    expect(line.requests).toHaveLength(sent);
  });

  it('does not mind an adapter that echoes', async () => {
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
    expect(await read(await hasty.open(bus, target))).toHaveProperty('Voltage');
    expect(bus.traffic.dropped).toBe(0);
  });
});

it('tells settings and identity of a JK-PB in turn, and when', async () => {
  const clock = new ManualClock(NOON);
  const hardware = await hasty.open(await plugIn(jkPb(home())), PB, clock);
  const times = () =>
    ['Max charge current', 'Serial number', 'Voltage'].map((name) => hardware.readAt?.(0, name));
  clock.advance(1_000);
  await hardware.poll();
  expect(times()).toEqual([1_000, 0, undefined]);
  clock.advance(1_000);
  await hardware.poll();
  expect(times()).toEqual([1_000, 2_000, undefined]);
});

describe('several JK-PB on one bus', () => {
  it('are told apart by their acknowledgements', async () => {
    const [noon, midnight] = [home(NOON), home(MIDNIGHT)];
    const bus = await plugIn((line) => {
      const detach = [jkPb(noon, { unit: 1 })(line), jkPb(midnight, { unit: 2 })(line)];
      return () => {
        for (const one of detach) one();
      };
    });
    const first = await hasty.open(bus, PB);
    const second = await hasty.open(bus, { ...PB, unit: 2 });
    const [one, other] = await Promise.all([read(first), read(second)]);
    expect(one.Current).toBeCloseTo(noon.reading.batteryA, 1);
    expect(other.Current).toBeCloseTo(midnight.reading.batteryA, 1);
    await expect(hasty.open(bus, { ...PB, unit: 3 })).rejects.toThrow(LinkDown);
  });

  it('and do not wait for the late answer of one that is silent', async () => {
    const timeoutMs = 800;
    const times = { gapMs: 0, timeoutMs };
    const patient = jkFamily({ uart: times, pb: times });
    const bus = await plugIn(jkPb(home()));
    await expect(patient.open(bus, { ...PB, unit: 3 })).rejects.toThrow(LinkDown);
    const startedAt = performance.now();
    await patient.open(bus, PB);
    expect(performance.now() - startedAt).toBeLessThan(timeoutMs);
  });

  it('and the record of another one is not taken', async () => {
    const line = new LineFaults();
    const bus = await plugIn(line.between(jkPb(home())));
    const hardware = await hasty.open(bus, PB);
    const before = await read(hardware);
    line.foreign = await answerOf(jkPb(home(MIDNIGHT), { unit: 2 }), 2);
    line.behave('foreign', 1);
    expect(await read(hardware)).toEqual(before);
  });

  it('are asked no sooner than they like, all of them together', async () => {
    const gapMs = 60;
    const line = new LineFaults();
    const bus = await plugIn(line.between(jkPb(home())));
    const patient = jkFamily({ uart: { gapMs, timeoutMs: 150 }, pb: { gapMs, timeoutMs: 150 } });
    const startedAt = performance.now();
    const hardware = await patient.open(bus, PB);
    await Promise.all([hardware.poll(), hardware.poll()]);
    const elapsedMs = performance.now() - startedAt;
    expect(elapsedMs).toBeGreaterThanOrEqual((line.requests.length - 1) * gapMs);
    expect(line.requests.length).toBeGreaterThanOrEqual(7);
  });

  it('are refused when they refuse', async () => {
    const bus = await plugIn((line) => {
      // Unit 1, function 16 with the bit of an exception, "no such register", CRC.
      const refuse = () => line.write(Uint8Array.of(0x01, 0x90, 0x02, 0xcd, 0xc1));
      line.on('data', refuse);
      return () => line.off('data', refuse);
    });
    const refused = hasty.open(bus, PB);
    await expect(refused).rejects.toThrow(NotRecognised);
    await expect(refused).rejects.toThrow('Modbus exception 2');
  });
});

describe('a classic unit', () => {
  it('that is asked too soon says nothing, so it is not', async () => {
    const restMs = 100;
    const patient = jkFamily({
      uart: { gapMs: restMs + 20, timeoutMs: 150 },
      pb: { gapMs: 0, timeoutMs: 150 },
    });
    const bus = await plugIn(jkUart(home(), { restMs }));
    const hardware = await patient.open(bus, UART);
    for (let poll = 0; poll < 3; poll++) expect(await read(hardware)).toHaveProperty('Voltage');
    expect(bus.traffic.silent).toBe(0);

    const rash = await hasty.open(await plugIn(jkUart(home(), { restMs: 60_000 })), UART);
    await expect(rash.poll()).rejects.toThrow(LinkDown);
  });
});

/** What a device says to a request for its status. */
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
