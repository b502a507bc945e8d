import type { Duplex } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { skippedPauses } from '../../../test/drivers/skipped-pauses.ts';
import {
  answering,
  block,
  CHARGER,
  NO_ANSWER_MS,
  plugIn,
  repeating,
  unplugAfterTests,
} from '../../../test/drivers/victron/plugged-in.ts';
import { LinkDown, WriteUnanswered, WriteWithheld } from '../../bus/failures.ts';
import { RejectedByHardware } from '../driver.ts';
import { READ_BACK_AT_MS } from '../write-verified.ts';
import { openDevice } from './family.ts';
import { cycleRule } from './frame-rules.ts';
import { COMMAND, encodeHex, parseHex, registerAnswer, registerFrame } from './hex-frame.ts';

unplugAfterTests();

const MODE = 0x0200;
const MIN_VOLTAGE = 0x2211;
const MAX_VOLTAGE = 0x2212;
const CURRENT = 0xedf0;
const BATTERY_TYPE = 0xedf1;
const ABSORPTION = 0xedf7;
const ACKNOWLEDGED = registerFrame(COMMAND.set, CURRENT, 0, [100, 0]);

/** A charger that is limited to 15 A, absorbs at 14.4 V, and handles "set" with `onSet`. */
async function charger(onSet: (frame: string, line: Duplex) => Uint8Array) {
  const sets: string[] = [];
  const gets: number[] = [];
  const registers: Record<number, readonly number[]> = {
    [MODE]: [1],
    [MIN_VOLTAGE]: [0x20, 0x03],
    [MAX_VOLTAGE]: [0xcc, 0x06],
    [CURRENT]: [150, 0],
    [BATTERY_TYPE]: [255],
    [ABSORPTION]: [0xa0, 0x05],
  };
  /** Called with every "get", counted from the last "set" on. */
  let onGet: ((count: number) => void) | undefined;
  let isSilent = false;
  const { bus } = await plugIn((line) =>
    repeating(block(CHARGER), (text) => {
      if (text.startsWith(':8')) {
        sets.push(text);
        gets.length = 0;
        return onSet(text, line);
      }
      gets.push(registerAnswer(parseHex(text))?.id ?? 0);
      onGet?.(gets.length);
      return isSilent ? Buffer.alloc(0) : answering(registers)(text);
    })(line),
  );
  const time = skippedPauses();
  const hardware = await openDevice(bus, { answerTimeoutMs: NO_ANSWER_MS, readBackTime: time });
  gets.length = 0;
  return {
    hardware,
    bus,
    time,
    registers,
    sets,
    /** The registers that were read: since the last "set", if there was one. */
    gets,
    onGet: (listener: (count: number) => void) => {
      onGet = listener;
    },
    fallSilent: () => {
      isSilent = true;
    },
  };
}

describe.concurrent('writeSetting of a solar charger', () => {
  it('a write is sent once, as this frame', async () => {
    const { hardware, sets, gets, registers } = await charger(() => {
      registers[CURRENT] = [100, 0];
      return ACKNOWLEDGED;
    });
    expect(await hardware.write(0, 'Max charge current', 10)).toBe(10);
    expect(sets).toEqual([':8F0ED0064000C\n']);
    expect(gets, 'one read-back confirms it').toEqual([CURRENT]);
  });

  it('a value in force is not sent again: it would wear the memory', async () => {
    const { hardware, sets } = await charger(() => Buffer.alloc(0));
    expect(await hardware.write(0, 'Max charge current', 15)).toBe(15);
    expect(sets).toEqual([]);
  });

  it('a value that the register rounds to the one in force is not sent', async () => {
    const { hardware, sets } = await charger(() => Buffer.alloc(0));
    expect(await hardware.write(0, 'Max charge current', 15.04)).toBe(15);
    expect(sets).toEqual([]);
  });

  it('an option in force is accepted although the charger alone knows its code', async () => {
    const { hardware, registers, sets } = await charger(() => Buffer.alloc(0));
    registers[BATTERY_TYPE] = [9];
    expect(await hardware.write(0, 'Battery type', 'Unknown (9)')).toBe('Unknown (9)');
    expect(sets).toEqual([]);
  });

  it('a value that takes effect at the last read-back is returned', async () => {
    const { hardware, registers, sets, gets, onGet } = await charger(() => ACKNOWLEDGED);
    onGet((count) => {
      if (sets.length > 0 && count === READ_BACK_AT_MS.length) registers[CURRENT] = [100, 0];
    });
    expect(await hardware.write(0, 'Max charge current', 10)).toBe(10);
    expect(sets).toHaveLength(1);
    expect(gets).toEqual(READ_BACK_AT_MS.map(() => CURRENT));
  });

  it('an acknowledged write without effect rejects', async () => {
    const { hardware, sets, gets } = await charger(() => ACKNOWLEDGED);
    await expect(hardware.write(0, 'Max charge current', 10)).rejects.toThrow(
      new RejectedByHardware('the charger kept Max charge current at 15 and did not take 10'),
    );
    expect(sets).toHaveLength(1);
    expect(gets).toHaveLength(READ_BACK_AT_MS.length);
  });

  it('a value that the charger chose itself is returned', async () => {
    const { hardware, registers, sets } = await charger(() => {
      registers[CURRENT] = [120, 0];
      return ACKNOWLEDGED;
    });
    expect(await hardware.write(0, 'Max charge current', 10)).toBe(12);
    expect(sets).toHaveLength(1);
  });

  it.each([
    ['nothing', () => Buffer.alloc(0)],
    ['a broken answer', () => Buffer.from(':8F0ED0064000D\n')],
    ['half an answer', () => Buffer.from(':8F0ED00')],
    ["another register's answer", () => registerFrame(COMMAND.set, 0x0200, 0, [1])],
    ['a frame error', () => encodeHex(COMMAND.productId, [0xaa, 0xaa])],
  ] as const)('a write answered with %s has an unknown outcome and is not repeated', async (_what, onSet) => {
    const { hardware, sets } = await charger(onSet);
    await expect(hardware.write(0, 'Max charge current', 10)).rejects.toThrow(WriteUnanswered);
    expect(sets).toHaveLength(1);
  });

  it('a line that breaks before the answer leaves the outcome unknown', async () => {
    const { hardware, sets } = await charger((_text, line) => {
      line.destroy();
      return Buffer.alloc(0);
    });
    await expect(hardware.write(0, 'Max charge current', 10)).rejects.toThrow(WriteUnanswered);
    expect(sets).toHaveLength(1);
  });

  it('a write that was aborted before it is sent writes nothing', async () => {
    const { hardware, sets } = await charger(() => ACKNOWLEDGED);
    await expect(hardware.write(0, 'Max charge current', 10, AbortSignal.abort())).rejects.toThrow(LinkDown);
    expect(sets).toEqual([]);
  });

  it('a write that waited for the text until too little time was left writes nothing', async () => {
    const { hardware, bus, time, sets, onGet } = await charger(() => ACKNOWLEDGED);
    const signal = Object.assign(new AbortController().signal, { abortsAtMs: time.monotonic() + 3_000 });
    const { find, timeoutMs } = cycleRule(NO_ANSWER_MS, 1);
    let listening: Promise<unknown> | undefined;
    onGet(() => {
      listening ??= bus.listen({ timeoutMs, find }).then(() => time.pause(2_500, signal));
    });
    const onSend = vi.fn();
    const write = hardware.write(0, 'Max charge current', 10, signal, onSend);
    await expect(write).rejects.toThrow(WriteWithheld);
    await listening;
    expect(onSend).not.toHaveBeenCalled();
    expect(sets).toEqual([]);
  });

  it('a register that is gone before the write is not written', async () => {
    const { hardware, registers, sets } = await charger(() => ACKNOWLEDGED);
    delete registers[CURRENT];
    await expect(hardware.write(0, 'Max charge current', 10)).rejects.toThrow(
      new RejectedByHardware('the charger no longer tells its Max charge current, so it was not written'),
    );
    expect(sets).toEqual([]);
  });

  it('a register that is gone after the write leaves the outcome unknown', async () => {
    const { hardware, registers, sets, gets } = await charger(() => {
      delete registers[CURRENT];
      return ACKNOWLEDGED;
    });
    await expect(hardware.write(0, 'Max charge current', 10)).rejects.toThrow(
      new WriteUnanswered(
        'Max charge current was written and could not be confirmed: Max charge current cannot be read any more',
        { reason: 'it was sent and could not be read back' },
      ),
    );
    expect(sets).toHaveLength(1);
    expect(gets).toHaveLength(READ_BACK_AT_MS.length);
  });

  it('a charger that falls silent after the write leaves the outcome unknown', async () => {
    const { hardware, sets, fallSilent } = await charger(() => {
      fallSilent();
      return ACKNOWLEDGED;
    });
    const writing = hardware.write(0, 'Max charge current', 10);
    await expect(writing).rejects.toThrow(WriteUnanswered);
    await expect(writing).rejects.toMatchObject({
      message: expect.stringContaining('Max charge current was written and could not be confirmed: '),
      cause: expect.any(LinkDown),
    });
    expect(sets).toHaveLength(1);
  });
});

describe.concurrent('a charge voltage of a solar charger', () => {
  it('a voltage is written while the battery type is user defined', async () => {
    const { hardware, registers, sets } = await charger(() => {
      registers[ABSORPTION] = [0xaa, 0x05];
      return registerFrame(COMMAND.set, ABSORPTION, 0, [0xaa, 0x05]);
    });
    expect(await hardware.write(0, 'Battery absorption charge voltage', 14.5)).toBe(14.5);
    expect(sets).toHaveLength(1);
  });

  it.each([
    ['is another one', [2], 'it is "Gel 14.3"'],
    ['is no longer reported', undefined, 'it no longer tells that type'],
  ])('a voltage is not written when the battery type %s', async (_case, type, reason) => {
    const { hardware, registers, sets } = await charger(() => ACKNOWLEDGED);
    if (type === undefined) delete registers[BATTERY_TYPE];
    else registers[BATTERY_TYPE] = type;
    await expect(hardware.write(0, 'Battery absorption charge voltage', 14.5)).rejects.toThrow(
      new RejectedByHardware(
        `the charger takes Battery absorption charge voltage only while its battery type is "User defined", and ${reason}`,
      ),
    );
    expect(sets).toEqual([]);
  });

  it.each(['Max charge current', 'MPPT enabled'])(
    '%s is written whatever the battery type is',
    async (name) => {
      const { hardware, registers, sets } = await charger((text) => {
        const { id, value } = registerAnswer(parseHex(text)) ?? { id: 0, value: [] };
        registers[id] = [...value];
        return registerFrame(COMMAND.set, id, 0, value);
      });
      registers[BATTERY_TYPE] = [2];
      const value = name === 'MPPT enabled' ? 'Off' : 10;
      expect(await hardware.write(0, name, value)).toBe(value);
      expect(sets).toHaveLength(1);
    },
  );
});
