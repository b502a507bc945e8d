import { HISTORY_ENERGY_FIELDS, HISTORY_TOTAL_NAMES, HISTORY_TOTALS } from '@heliograph/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DayValues, mergeDays, packDay, unpackDay } from './day-codec.ts';

/** Every quarter and hour of a cloudy day of a home with everything, with the noise of real meters. */
function busyDay(seed: number): DayValues {
  let state = seed;
  const noise = (amplitude: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state / 2_147_483_648 - 0.5) * 2 * amplitude;
  };
  const column = (count: number, value: (part: number) => number, decimals: number) =>
    Array.from({ length: count }, (_, i) => Number(value(i / count).toFixed(decimals)) + 0);
  const sun = (part: number): number => Math.max(0, Math.sin((part - 0.25) * 2 * Math.PI));
  const means = Object.fromEntries(
    HISTORY_TOTAL_NAMES.map((name) => {
      const { decimals, unit } = HISTORY_TOTALS[name];
      const wave = (part: number): number =>
        unit === 'W' ? sun(part) * (6_000 + noise(2_000)) + noise(300) : 50 + sun(part) * 30 + noise(0.5);
      return [name, column(96, wave, decimals)];
    }),
  );
  const energy = Object.fromEntries(
    HISTORY_ENERGY_FIELDS.map((name) => [
      name,
      name === 'covered_s' ? column(24, () => 3600, 0) : column(24, (part) => sun(part) * (4 + noise(1)), 4),
    ]),
  );
  return { means, energy };
}

describe('days of history', () => {
  it('a packed day takes at most two bytes per value', () => {
    const values = 12 * 96 + 14 * 24;
    for (const seed of [1, 2, 3]) expect(packDay(busyDay(seed)).length / values).toBeLessThanOrEqual(2);
  });

  it('a packed day has the values that were packed', () => {
    const day = busyDay(7);
    expect(unpackDay(packDay(day))).toEqual(day);
    const means = fc.array(fc.option(fc.integer({ min: -1e8, max: 1e8 })), { maxLength: 104 });
    fc.assert(
      fc.property(means, (pv_power) => {
        const [known, length] = [unpackDay(packDay({ means: { pv_power }, energy: {} })), pv_power.length];
        const read = known.means.pv_power ?? [];
        expect(Array.from({ length }, (_, i) => read[i] ?? null)).toEqual(pv_power);
      }),
    );
  });

  it('a packed day is refused where its bytes are damaged', () => {
    expect(() => unpackDay(Buffer.of(2, 0))).toThrow();
    expect(() => unpackDay(packDay(busyDay(1)).subarray(0, 40))).toThrow();
  });

  it('a merged day keeps what is known when later values are unknown', () => {
    const earlier = { means: { pv_power: [1, 2, null, 4] }, energy: { pv: [1] } };
    const later = { means: { pv_power: [null, null, 3], load_power: [9] }, energy: { pv: [2] } };
    expect(mergeDays(earlier, later)).toEqual({
      means: { pv_power: [1, 2, 3, 4], load_power: [9] },
      energy: { pv: [2] },
    });
  });
});
