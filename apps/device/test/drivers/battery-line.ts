import { type Attach, LineFaults, openPty, serveLine } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { BusAddress } from '../../src/bus/address.ts';
import type { ByteBus } from '../../src/bus/byte-bus.ts';
import { LinkDown } from '../../src/bus/failures.ts';
import { openByteBus } from '../../src/bus/open-bus.ts';
import type { ByteFamily, Hardware, Target } from '../../src/drivers/driver.ts';
import { PATIENCE, type Stoppable, stopAll } from '../running.ts';

/** A simulated battery, and the family that reads it. */
export interface BatteryUnderTest {
  /** With times for an answer that are long enough for a busy machine. */
  readonly family: ByteFamily;
  readonly target: Target;
  readonly battery: Attach;
  /** Values that a poll must read. */
  readonly expected: Readonly<Record<string, MetricValue>>;
  /** A sound frame that answers nothing. */
  readonly foreign: Uint8Array;
  /** The requests that may be sent. */
  readonly isRead: (request: Buffer) => boolean;
}

const running: Stoppable[] = [];

/** The lines and buses that the tests of a file open are closed after the last one. To be called outside of any `describe`. */
export function closeLinesAfterTests(): void {
  afterAll(() => stopAll(running));
}

function busTo(address: BusAddress, family: ByteFamily): ByteBus {
  const bus = openByteBus(address, family.line, systemClock);
  running.push({ stop: () => bus.close() });
  return bus;
}

/** A bus to hardware behind a serial server. */
export async function serverTo(attach: Attach, family: ByteFamily): Promise<ByteBus> {
  const server = await serveLine(attach);
  running.push(server);
  return busTo({ transport: 'serial-tcp', host: server.host, port: server.port }, family);
}

/** A bus to hardware on a pseudo-terminal. */
export function portTo(attach: Attach, family: ByteFamily): ByteBus {
  const pty = openPty();
  const detach = attach(pty.line);
  running.push({
    stop: async () => {
      detach();
      pty.close();
    },
  });
  return busTo({ transport: 'serial', path: pty.path }, family);
}

export async function readingOf(hardware: Hardware): Promise<Record<string, MetricValue>> {
  return Object.fromEntries((await hardware.poll())[0] ?? []);
}

/** Tests of every battery that is read with frames of its own, on good lines and on bad ones. */
export function describeBatteryLine(name: string, under: BatteryUnderTest): void {
  const { family, target, battery, expected, foreign, isRead } = under;

  describe.concurrent(`${name} on a line`, () => {
    it('a battery is read over a serial port', async () => {
      const hardware = await family.open(portTo(battery, family), target);
      expect(hardware.units).toMatchObject([{ kind: 'batteries' }]);
      const reading = await readingOf(hardware);
      expect(reading).toMatchObject(expected);
      expect(Object.keys(reading)).toEqual(hardware.units[0]?.quantities.map((quantity) => quantity.name));
    });

    it('a battery is sent reads alone, and a write throws a RangeError', async () => {
      const line = new LineFaults();
      const hardware = await family.open(await serverTo(line.between(battery), family), target);
      for (let poll = 0; poll < 5; poll++) await hardware.poll();
      await expect(hardware.write(0, 'Capacity', 1)).rejects.toThrow(RangeError);
      for (const request of line.requests)
        expect([request.toString('hex'), isRead(request)]).toEqual([request.toString('hex'), true]);
    });

    it.each(['corrupt', 'truncate', 'foreign', 'double', 'cut'] as const)(
      'a single %s answer leaves every value right',
      async (fault) => {
        const line = new LineFaults();
        line.foreign = foreign;
        const hardware = await family.open(await serverTo(line.between(battery), family), target);
        const before = await readingOf(hardware);
        line.behave(fault, 1);
        expect(await readingOf(hardware)).toEqual(before);
      },
    );

    it.each(['corrupt', 'truncate', 'silent'] as const)(
      'the link is down on a line that is %s, and recovers on a good one',
      async (fault) => {
        const line = new LineFaults();
        const hardware = await family.open(await serverTo(line.between(battery), family), target);
        line.behave(fault);
        await expect(hardware.poll()).rejects.toThrow(LinkDown);
        line.behave('none');
        await vi.waitFor(async () => expect(await readingOf(hardware)).toMatchObject(expected), PATIENCE);
      },
    );

    it('the link is down where nothing answers', async () => {
      const silent: Attach = () => () => undefined;
      await expect(family.open(await serverTo(silent, family), target)).rejects.toThrow(LinkDown);
    });

    it('the echoes of an adapter are ignored', async () => {
      const echoing: Attach = (line) => {
        const echo = (request: Buffer) => line.write(request);
        line.on('data', echo);
        const detach = battery(line);
        return () => {
          line.off('data', echo);
          detach();
        };
      };
      const bus = await serverTo(echoing, family);
      expect(await readingOf(await family.open(bus, target))).toMatchObject(expected);
      expect(bus.traffic.dropped).toBe(0);
    });
  });
}
