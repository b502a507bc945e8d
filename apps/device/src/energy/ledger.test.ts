import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CountedHome, HOUR_MS, SECOND_MS, wattsFor } from '../../test/energy/counted-home.ts';
import { HALF_WMS_PER_WH } from './energy-amount.ts';
import { energyOf } from './ledger.ts';

describe('EnergyLedger', () => {
  it('energy is unknown until two readings have time between them', () => {
    const home = new CountedHome('2026-07-15T12:00:00Z').read({ 'PV power': 1000 });
    expect(home.energy('PV energy')).toBeUndefined();
    home.pass(2_000).read({ 'PV power': 1000 });
    expect(home.energy('PV energy')).toBe(wattsFor(1000, 2_000));
    expect(home.energy('Load energy')).toBeUndefined();
  });

  it('3,600 W for a thousand seconds are 1,000 Wh', () => {
    const home = new CountedHome('2026-07-15T12:00:00Z').pv(3_600, 1_000 * SECOND_MS);
    expect(energyOf(home.ledger.state, 'daily')).toEqual({ 'PV energy': { wattHours: 1_000, rest: 0 } });
  });

  it('energy is the area under a straight line between readings', () => {
    const home = new CountedHome('2026-07-15T12:00:00Z')
      .read({ 'PV power': 100 })
      .pass(2_000)
      .read({ 'PV power': 300 });
    expect(home.energy('PV energy')).toBe(wattsFor(200, 2_000));
  });

  it.each([
    ['Battery power', 500, 'Battery energy in', 'Battery energy out'],
    ['Battery power', -500, 'Battery energy out', 'Battery energy in'],
    ['Grid power', 500, 'Grid energy in', 'Grid energy out'],
    ['Grid power', -500, 'Grid energy out', 'Grid energy in'],
  ] as const)('the energy of %s at %i W counts as %s', (power, powerW, counted, other) => {
    const home = new CountedHome('2026-07-15T12:00:00Z')
      .read({ [power]: powerW })
      .pass(2_000)
      .read({ [power]: powerW });
    expect([home.energy(counted), home.energy(other)]).toEqual([wattsFor(500, 2_000), 0]);
  });

  it('time with an unknown power adds no energy', () => {
    const home = new CountedHome('2026-07-15T12:00:00Z').pv(1_000, 10 * SECOND_MS);
    home.pass(2_000).read({ 'PV power': null });
    home.pass(2_000).read({});
    home.pass(2_000).pv(1_000, 10 * SECOND_MS);
    expect(home.energy('PV energy')).toBe(wattsFor(1_000, 20_000));
  });

  it.each([
    [6_000, wattsFor(1_000, 16_000)],
    [6_001, wattsFor(1_000, 10_000)],
    [HOUR_MS, wattsFor(1_000, 10_000)],
  ])('energy over a gap of %i ms is %i', (gapMs, expected) => {
    const home = new CountedHome('2026-07-15T12:00:00Z')
      .pv(1_000, 10 * SECOND_MS)
      .pass(gapMs)
      .read({ 'PV power': 1_000 });
    expect(home.energy('PV energy')).toBe(expected);
  });

  it('a reading is counted once, however often it is shown', () => {
    const home = new CountedHome('2026-07-15T12:00:00Z').pv(1_000, 10 * SECOND_MS);
    const readAt = home.monotonicMs;
    for (let i = 0; i < 5; i++) home.pass(500).read({ 'PV power': 1_000 }, readAt);
    expect(home.energy('PV energy')).toBe(wattsFor(1_000, 10_000));
  });

  it.each([
    [0, 'at the same instant'],
    [1_500, 'before it'],
  ])('a reading from %i ms earlier than the last one changes nothing (%s)', (earlierMs) => {
    const home = new CountedHome('2026-07-15T12:00:00Z').pv(1_000, 10 * SECOND_MS);
    const readAt = home.monotonicMs;
    home.pass(500).read({ 'PV power': 3_000 }, readAt - earlierMs);
    home.pass(1_500).read({ 'PV power': 1_000 });
    expect(home.energy('PV energy')).toBe(wattsFor(1_000, 12_000));
  });

  it.each([1_000_000_000, 100_000_000, -100_000_000])(
    'a power of %i W, beyond any home’s, is not counted',
    (powerW) => {
      const home = new CountedHome('2026-07-15T12:00:00Z');
      for (let poll = 0; poll < 3; poll++) home.pass(2_000).read({ 'Grid power': powerW });
      expect([home.energy('Grid energy in'), home.energy('Grid energy out')]).toEqual([undefined, undefined]);
    },
  );

  it.each([
    [1_000.4, 1_000],
    [1_000.5, 1_001],
  ])('a power of %d W counts as %i W', (powerW, countedW) => {
    const home = new CountedHome('2026-07-15T12:00:00Z').pv(powerW, 10 * SECOND_MS);
    expect(home.energy('PV energy')).toBe(wattsFor(countedW, 10_000));
  });

  it('the state is the same object when nothing was counted, so that nothing is stored', () => {
    const home = new CountedHome('2026-07-15T12:00:00Z').pv(1_000, 10 * SECOND_MS);
    const { state } = home.ledger;
    expect(home.pass(2_000).read({ 'PV power': null }).ledger.state).toBe(state);
  });
});

describe('EnergyLedger with generated polls', () => {
  const powerW = fc.integer({ min: -20_000, max: 20_000 });
  const steps = fc.array(
    fc.tuple(fc.double({ min: 0.25, max: 6_000, noNaN: true }), powerW, powerW, powerW),
    {
      minLength: 1,
      maxLength: 60,
    },
  );

  it('the energy of a constant power is the same whenever it is read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), steps, (constantW, pieces) => {
        const home = new CountedHome('2026-07-15T01:00:00Z').read({ 'PV power': constantW });
        const from = Math.round(home.monotonicMs);
        for (const [ms] of pieces) home.pass(ms).read({ 'PV power': constantW });
        expect(home.energy('PV energy') ?? 0).toBe(wattsFor(constantW, Math.round(home.monotonicMs) - from));
      }),
    );
  });

  it('energy is never negative, never falls within a period, and balances to the last watt-millisecond', () => {
    fc.assert(
      fc.property(steps, (pieces) => {
        const home = new CountedHome('2026-07-15T01:00:00Z');
        const names = [
          'PV energy',
          'Load energy',
          'Grid energy in',
          'Grid energy out',
          'Battery energy in',
          'Battery energy out',
        ];
        let before = names.map(() => 0);
        for (const [ms, pv, grid, battery] of pieces) {
          const pvW = Math.abs(pv);
          const loadW = pvW + grid - battery;
          if (loadW < 0) continue;
          home
            .pass(ms)
            .read({ 'PV power': pvW, 'Grid power': grid, 'Battery power': battery, 'Load power': loadW });
          const now = names.map((name) => home.energy(name) ?? 0);
          for (const [i, energy] of now.entries()) expect(energy).toBeGreaterThanOrEqual(before[i] ?? 0);
          before = now;
        }
        const [pv = 0, load = 0, gridIn = 0, gridOut = 0, batteryIn = 0, batteryOut = 0] = before;
        expect(load).toBe(pv + gridIn - gridOut - batteryIn + batteryOut);
      }),
    );
  });

  it('energy stays exact for a month of the largest accepted power, read every three hours', () => {
    const powerW = 99_999_999;
    const stepMs = 3 * HOUR_MS;
    const monthMs = 31 * 24 * HOUR_MS - 1;
    const home = new CountedHome('2026-07-01T00:00:00Z', { period: 'monthly', longestGapMs: stepMs });
    home.pv(powerW, monthMs, stepMs);
    const { wattHours = 0, rest = 0 } = energyOf(home.ledger.state, 'monthly')['PV energy'] ?? {};
    expect(BigInt(wattHours) * BigInt(HALF_WMS_PER_WH) + BigInt(rest)).toBe(
      2n * BigInt(powerW) * BigInt(monthMs),
    );
  });
});
