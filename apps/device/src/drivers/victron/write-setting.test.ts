import type { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { RejectedByHardware } from '../driver.ts';
import { openDevice } from './family.ts';
import { COMMAND, encodeHex, parseHex, registerAnswer, registerFrame } from './hex-frame.ts';
import { answering, block, CHARGER, NO_ANSWER_MS, plugIn, repeating } from './testing/plugged-in.ts';

describe('writeSetting of a solar charger', () => {
  /** A charger that handles "set" with `onSet`. */
  async function charger(onSet: (frame: string, line: Duplex) => Uint8Array) {
    const sets: string[] = [];
    const state = { current: [150, 0], type: [255] };
    const { bus } = await plugIn((line) =>
      repeating(block(CHARGER), (text) => {
        if (text.startsWith(':8')) {
          sets.push(text);
          return onSet(text, line);
        }
        return answering({ 512: [1], 60912: state.current, 60913: state.type })(text);
      })(line),
    );
    const hardware = await openDevice(bus, { answerTimeoutMs: NO_ANSWER_MS });
    return { hardware, sets, state };
  }

  it('a write is sent once, as this frame', async () => {
    const { hardware, sets, state } = await charger((text) => {
      state.current = [100, 0];
      return registerFrame(COMMAND.set, registerAnswer(parseHex(text))?.id ?? 0, 0, [100, 0]);
    });
    expect(await hardware.write(0, 'Max charge current', 10)).toBe(10);
    expect(sets).toEqual([':8F0ED0064000C\n']);
  });

  it('a value in force is not sent again: it would wear the memory', async () => {
    const { hardware, sets } = await charger(() => Buffer.alloc(0));
    expect(await hardware.write(0, 'Max charge current', 15)).toBe(15);
    expect(sets).toEqual([]);
  });

  it('an acknowledged write without effect rejects', async () => {
    const { hardware, sets } = await charger(() => registerFrame(COMMAND.set, 0xedf0, 0, [100, 0]));
    await expect(hardware.write(0, 'Max charge current', 10)).rejects.toThrow(
      new RejectedByHardware('the charger kept Max charge current at 15 and did not take 10'),
    );
    expect(sets).toHaveLength(1);
  });

  it('a value that the charger chose itself is returned', async () => {
    const { hardware, state } = await charger(() => {
      state.current = [120, 0];
      return registerFrame(COMMAND.set, 0xedf0, 0, [100, 0]);
    });
    expect(await hardware.write(0, 'Max charge current', 10)).toBe(12);
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
    const { hardware, sets } = await charger(() => registerFrame(COMMAND.set, 0xedf0, 0, [100, 0]));
    await expect(hardware.write(0, 'Max charge current', 10, AbortSignal.abort())).rejects.toThrow(LinkDown);
    expect(sets).toEqual([]);
  });
});
