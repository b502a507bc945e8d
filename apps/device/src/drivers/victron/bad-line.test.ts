import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatedHome } from '@heliograph/dev/plant';
import { solarChargerLine } from '@heliograph/dev/plant/victron';
import { LineFaults } from '@heliograph/dev/serial';
import { ManualClock } from '@heliograph/kit';
import { describe, expect, it } from 'vitest';
import {
  block,
  CHARGER,
  LINE,
  NO_ANSWER_MS,
  ON_AND_15_A,
  open,
  plugIn,
  plugInSerial,
  read,
  readUntil,
  repeating,
  unplugAfterTests,
} from '../../../test/drivers/victron/plugged-in.ts';
import { LinkDown } from '../../bus/failures.ts';
import { openDevice } from './family.ts';
import { COMMAND, registerFrame } from './hex-frame.ts';

unplugAfterTests();

const home = () => simulatedHome(new ManualClock(Date.UTC(2026, 5, 21, 12)));

describe.concurrent('a VE.Direct device on a bad line', () => {
  it('a line with text in one direction gives measurements without settings', async () => {
    const { bus } = await plugIn(repeating(block(CHARGER)));
    const hardware = await openDevice(bus, { answerTimeoutMs: NO_ANSWER_MS });
    expect(await read(hardware)).toMatchObject({ 'PV power': 14, 'Battery power': 13, 'Load power': 1 });
    expect(hardware.units[0]?.quantities.map(({ name }) => name)).not.toContain('MPPT enabled');
  });

  it('unsolicited frames among text and answers are ignored', async () => {
    const noise = Buffer.from(':4AAAAFD\n:AD7ED00A000E7\n', 'latin1');
    const text = Buffer.from(block(CHARGER));
    const mixed = Buffer.concat([noise, text.subarray(0, 25), noise, text.subarray(25)]);
    const { bus } = await plugIn(
      repeating(mixed, (frame) => Buffer.concat([noise, ON_AND_15_A(frame), noise])),
    );
    const hardware = await open(bus);
    expect(await read(hardware)).toMatchObject({
      'PV power': 14,
      'MPPT enabled': 'On',
      'Max charge current': 15,
    });
    expect(bus.traffic.dropped).toBe(0);
  });

  it('a garbled block is replaced by the next good one', async () => {
    const good = block(CHARGER);
    const bad = Buffer.from(block({ ...CHARGER, PPV: '99' }));
    bad.set([0x37], bad.indexOf('PPV') + 4);
    const { bus } = await plugIn(repeating(Buffer.concat([good, good, bad]), ON_AND_15_A));
    const hardware = await open(bus);
    for (let poll = 0; poll < 5; poll++) expect(await read(hardware)).toMatchObject({ 'PV power': 14 });
    expect(bus.traffic.dropped).toBeGreaterThan(0);
  });

  it('a garbled answer is requested again at once', async () => {
    let garble = true;
    const { bus } = await plugIn(
      repeating(block(CHARGER), (frame) => {
        const answer = Buffer.from(ON_AND_15_A(frame));
        if (garble && frame.startsWith(':7F0ED')) {
          garble = false;
          answer.set([0x39], 9);
        }
        return answer;
      }),
    );
    expect(await read(await open(bus))).toMatchObject({ 'Max charge current': 15 });
    expect(garble).toBe(false);
  });

  it('doubled and late answers are dropped', async () => {
    const late = registerFrame(COMMAND.get, 0xedf1, 0, [8]);
    const { bus } = await plugIn(
      repeating(block(CHARGER), (frame) => {
        const answer = ON_AND_15_A(frame);
        return Buffer.concat([late, answer, answer]);
      }),
    );
    expect(await read(await open(bus))).toMatchObject({ 'MPPT enabled': 'On', 'Max charge current': 15 });
    expect(bus.traffic.dropped).toBeGreaterThan(0);
  });

  it('a lost connection is opened again, and a closed one is down', async () => {
    const { bus, server } = await plugIn(solarChargerLine(home(), LINE));
    const hardware = await open(bus);
    server.breakConnections();
    expect(await read(hardware), 'a lost line is opened again').toMatchObject({ 'MPPT enabled': 'On' });
    await bus.close();
    await expect(hardware.poll()).rejects.toThrow(LinkDown);
  });

  it('a poll fails when another device is plugged in', async () => {
    let fields: Readonly<Record<string, string>> = CHARGER;
    const { bus } = await plugIn(repeating(() => block(fields), ON_AND_15_A));
    const hardware = await open(bus);
    fields = { ...CHARGER, 'SER#': 'HQ2' };
    await expect(readUntil(hardware, () => false)).rejects.toThrow(/another device/);
  });

  it('the hardware needs to be reopened when the device sends a new field', async () => {
    let fields: Readonly<Record<string, string>> = CHARGER;
    const { bus } = await plugIn(repeating(() => block(fields), ON_AND_15_A));
    const hardware = await open(bus);
    await hardware.poll();
    expect(hardware.needsReopen).toBe(false);
    fields = { ...CHARGER, MPPT: '2' };
    const values = await readUntil(hardware, () => hardware.needsReopen === true);
    expect(values, 'not before it is opened again').not.toHaveProperty('Tracker mode');
  });
});

describe.concurrent('faults of a VE.Direct line', () => {
  it.each(['truncate', 'corrupt', 'double', 'foreign'] as const)(
    'a %s block leaves every value right',
    async (fault) => {
      const faults = new LineFaults();
      faults.foreign = Buffer.from('\r\nV\t9999\r\nPPV\t999\r\n');
      const { bus } = await plugIn(faults.between(repeating(block(CHARGER), ON_AND_15_A)));
      const hardware = await open(bus);
      const right = await read(hardware);
      for (let poll = 0; poll < 5; poll++) {
        faults.behave(fault, 1);
        expect(await read(hardware)).toEqual(right);
      }
    },
  );

  it.each(['silent', 'cut'] as const)('opening fails with LinkDown on a line that is %s', async (fault) => {
    const faults = new LineFaults();
    const { bus } = await plugIn(faults.between(repeating(block(CHARGER))));
    faults.behave(fault);
    await expect(openDevice(bus, { cycleTimeoutMs: NO_ANSWER_MS })).rejects.toThrow(LinkDown);
  });
});

describe.concurrent('a VE.Direct device on a serial port', () => {
  it('a charger is read and written, and recovers after it was unplugged', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 've-direct-'));
    const { bus, unplug, plug } = plugInSerial(solarChargerLine(home(), LINE), join(folder.path, 'port'));
    const hardware = await open(bus);
    expect(await hardware.write(0, 'Max charge current', 42)).toBe(42);
    expect(await read(hardware)).toMatchObject({ 'Max charge current': 42, 'Device mode': 'Bulk' });

    unplug();
    await expect(hardware.write(0, 'Max charge current', 10)).rejects.toThrow(LinkDown);
    plug();
    const values = await untilUp(() => read(hardware));
    expect(values).toMatchObject({ 'Max charge current': 42, 'Device mode': 'Bulk' });
  });
});

/** Tries until the link is up; the bus itself decides how soon it opens a port again. */
async function untilUp<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LinkDown)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
