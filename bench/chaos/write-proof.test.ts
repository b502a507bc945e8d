import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attempt, type Witnessed, writeFaults } from './write-proof.ts';

const TOPIC = 'inverter_1/battery_reserve';
const VALUES = 20;

/** A writer who goes through its values again and again, and for each write whether it was acknowledged. */
const histories = fc
  .array(fc.record({ acknowledged: fc.boolean(), carriedOut: fc.boolean(), delayMs: fc.nat(900) }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((steps) =>
    steps.map(({ acknowledged, carriedOut, delayMs }, turn) => {
      const attempt: Attempt = { topic: TOPIC, value: turn % VALUES, startedAt: turn * 1000, acknowledged };
      const write = { topic: TOPIC, value: attempt.value, at: attempt.startedAt + delayMs };
      return { attempt, writes: acknowledged || carriedOut ? [write] : [] };
    }),
  );

const faultsOf = (history: readonly { attempt: Attempt; writes: readonly Witnessed[] }[]): string[] =>
  writeFaults(
    history.map(({ attempt }) => attempt),
    { name: 'the inverter', writes: history.flatMap(({ writes }) => writes) },
  );

describe('the proof that writes were carried out once', () => {
  it('a history is without faults where every acknowledged write came once, and every other at most once', () => {
    fc.assert(
      fc.property(histories, (history) => {
        expect(faultsOf(history)).toEqual([]);
      }),
    );
  });

  it('a write that came twice is found, however it was answered', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (history, pick) => {
        const { attempt } = history[pick % history.length] ?? {};
        const twice = history.map((step) => {
          const write = { topic: TOPIC, value: step.attempt.value, at: step.attempt.startedAt + 1 };
          return step.attempt === attempt ? { ...step, writes: [write, write] } : step;
        });
        expect(faultsOf(twice)).toEqual([expect.stringContaining('2 times')]);
      }),
    );
  });

  it('an acknowledged write that never came is found', () => {
    const attempt = { topic: TOPIC, value: 7, startedAt: 1000, acknowledged: true };
    expect(faultsOf([{ attempt, writes: [] }])).toEqual([expect.stringMatching(/= 7 .* 0 times/)]);
  });

  it('a write before the memory of the witness is not judged', () => {
    const attempt = { topic: TOPIC, value: 7, startedAt: 1000, acknowledged: true };
    const write = { topic: TOPIC, value: 8, at: 1500 };
    const witness = { name: 'the log', writes: [write] };
    expect(writeFaults([attempt], witness, 1501)).toEqual([]);
    expect(writeFaults([attempt], witness, 1500)).toHaveLength(1);
    expect(writeFaults([attempt], witness, 1000)).toHaveLength(2);
  });

  it('a write that no client sent is found, and one that came before it was sent', () => {
    const attempt = { topic: TOPIC, value: 7, startedAt: 1000, acknowledged: false };
    const writes = [
      { topic: TOPIC, value: 8, at: 1500 },
      { topic: TOPIC, value: 7, at: 500 },
    ];
    expect(faultsOf([{ attempt, writes }])).toEqual([
      expect.stringContaining('= 8'),
      expect.stringContaining('= 7'),
    ]);
  });
});
