import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BATTERY, stateOfCharge } from './battery.ts';
import { INVERTER } from './inverter.ts';
import { acLimitW, type PlantReading, plausibleState, step } from './plant.ts';
import { DEFAULT_SETTINGS, type PlantSettings, storageWindow } from './settings.ts';
import { type PlantSite, siteIn } from './site.ts';
import { sunDirection } from './sun.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const percent = (low: number) => fc.integer({ min: low * 100, max: 10_000 }).map((raw) => raw / 100);
const bit = fc.integer({ min: 0, max: 1 });

const anySettings: fc.Arbitrary<PlantSettings> = fc.record({
  Conn: fc.constantFrom(1, 1, 1, 0),
  Conn_RvrtTms: fc.constant(0),
  WMaxLimPct: percent(0),
  WMaxLimPct_RvrtTms: fc.constant(0),
  WMaxLim_Ena: bit,
  StorCtl_Mod: fc.integer({ min: 0, max: 3 }),
  MinRsvPct: percent(0),
  OutWRte: percent(-100),
  InWRte: percent(-100),
  InOutWRte_RvrtTms: fc.constant(0),
  ChaGriSet: bit,
});

/** Any plant, at any place and time, with any settings, after any step that a poll or a fast clock may take. */
const anyInstant = fc
  .record({
    nowMs: fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) }),
    dtMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: MINUTE_MS })),
    latitudeDeg: fc.integer({ min: -65, max: 65 }),
    timeZone: fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'Asia/Kolkata',
      'America/Los_Angeles',
      'Pacific/Auckland',
    ),
    seed: fc.integer({ min: 0, max: 1_000_000 }),
    storedWh: fc.oneof(
      fc.double({ min: 0, max: BATTERY.capacityWh, noNaN: true }),
      fc.constantFrom(0, BATTERY.capacityWh, BATTERY.capacityWh - 0.01, 0.01),
    ),
    settings: anySettings,
  })
  .map(({ latitudeDeg, timeZone, seed, storedWh, ...rest }) => {
    const site = siteIn(timeZone, latitudeDeg, seed, rest.nowMs);
    const state = { ...plausibleState(rest.nowMs, site), storedWh };
    return { ...rest, site, state, ...named(step(state, rest.nowMs, rest.dtMs, rest.settings, site)) };
  });

function named({ state, reading }: ReturnType<typeof step>) {
  return { after: state, reading };
}

const pv = ({ pvW }: PlantReading) => pvW[0] + pvW[1];

function always(claim: (instant: typeof anyInstant extends fc.Arbitrary<infer T> ? T : never) => void): void {
  fc.assert(fc.property(anyInstant, claim), { numRuns: 300 });
}

describe('the plant at any place and time, with any settings', () => {
  test('load = pv + grid - battery holds exactly, in whole watts, and neither load nor PV is negative', () => {
    always(({ reading }) => {
      const { pvW, gridW, batteryW, loadW } = reading;
      for (const watts of [...pvW, gridW, batteryW, loadW]) expect(Number.isInteger(watts)).toBe(true);
      expect(loadW).toBe(pv(reading) + gridW - batteryW);
      expect(Math.min(...pvW)).toBeGreaterThanOrEqual(0);
      expect(loadW).toBeGreaterThan(0);
    });
  });

  test("the meter's phases add up to its total", () => {
    always(({ reading: { gridPhasesW, gridW } }) => {
      expect(gridPhasesW[0] + gridPhasesW[1] + gridPhasesW[2]).toBe(gridW);
    });
  });

  test('conversion loses energy and never makes any', () => {
    always(({ reading, settings }) => {
      const { acW, batteryW, lossesW } = reading;
      expect(pv(reading) - batteryW - acW).toBe(lossesW);
      expect(lossesW).toBeGreaterThanOrEqual(settings.Conn === 0 ? 0 : INVERTER.idleW);
    });
  });

  test('the AC output stays within the rating and the limit', () => {
    always(({ reading: { acW }, settings }) => {
      expect(acW).toBeLessThanOrEqual(acLimitW(settings));
      expect(acW).toBeGreaterThanOrEqual(-INVERTER.ratedW);
    });
  });

  test('the battery stays between 0 and 100 percent, and a discharge ends at the reserve', () => {
    always(({ reading: { stateOfChargePct, batteryW }, settings }) => {
      expect(stateOfChargePct).toBeGreaterThanOrEqual(0);
      expect(stateOfChargePct).toBeLessThanOrEqual(100);
      if (batteryW < 0) expect(stateOfChargePct).toBeGreaterThanOrEqual(settings.MinRsvPct - 1e-9);
    });
  });

  test('the battery holds what went in, less its losses', () => {
    always(({ state, after, reading: { batteryW }, dtMs }) => {
      const wh = (batteryW * dtMs) / HOUR_MS;
      const expected = wh > 0 ? wh * BATTERY.oneWayEfficiency : wh / BATTERY.oneWayEfficiency;
      expect(after.storedWh - state.storedWh).toBeCloseTo(expected, 6);
    });
  });

  test('the battery power stays within StorCtl_Mod, InWRte and OutWRte', () => {
    always(({ reading: { batteryW }, settings }) => {
      const { lowW, highW } = storageWindow(settings);
      if (lowW > highW) expect(batteryW).toBe(0);
      else {
        // A demand may be missed for want of sun or charge, but a limit is never passed.
        expect(batteryW).toBeLessThanOrEqual(Math.max(0, Math.ceil(highW)));
        expect(batteryW).toBeGreaterThanOrEqual(Math.min(0, Math.floor(lowW)));
      }
    });
  });

  test('the battery charges from PV alone unless ChaGriSet allows the grid', () => {
    always(({ reading, settings }) => {
      if (settings.ChaGriSet === 0) expect(reading.batteryW).toBeLessThanOrEqual(pv(reading));
    });
  });

  test('PV is 0 W while the sun is down', () => {
    always(({ reading, nowMs, site }) => {
      if (sunDirection(nowMs, site.latitudeDeg, site.longitudeDeg).up <= 0)
        expect(reading.pvW).toEqual([0, 0]);
    });
  });

  test('a disconnected inverter stands still and the house buys everything', () => {
    always(({ reading, settings }) => {
      if (settings.Conn !== 0) return;
      expect(reading).toMatchObject({ pvW: [0, 0], batteryW: 0, acW: 0, gridW: reading.houseW });
    });
  });

  test('the counters grow by what flowed', () => {
    always(({ state, after, reading, dtMs }) => {
      const grown = (name: 'importedWh' | 'exportedWh' | 'chargedWh' | 'dischargedWh') =>
        ((after.counters[name] - state.counters[name]) * HOUR_MS) / (dtMs || 1);
      const watts = dtMs === 0 ? { gridW: 0, batteryW: 0 } : reading;
      expect(grown('importedWh') - grown('exportedWh')).toBeCloseTo(watts.gridW, 0);
      expect(grown('chargedWh') - grown('dischargedWh')).toBeCloseTo(watts.batteryW, 0);
    });
  });
});

/** Two simulated days, every half minute; the first one settles the battery. */
function secondDay(site: PlantSite, fromMs: number): readonly PlantReading[] {
  let state = plausibleState(fromMs, site);
  const readings: PlantReading[] = [];
  for (let nowMs = fromMs; nowMs < fromMs + 48 * HOUR_MS; nowMs += 30_000) {
    const next = step(state, nowMs, 30_000, DEFAULT_SETTINGS, site);
    state = next.state;
    if (nowMs >= fromMs + 24 * HOUR_MS) readings.push(next.reading);
  }
  return readings;
}

const kWh = (readings: readonly PlantReading[], watts: (reading: PlantReading) => number) =>
  readings.reduce((sum, reading) => sum + watts(reading) / 120_000, 0);

describe('a day at 37 degrees north', () => {
  const seasons = [
    ['June', '2026-06-20T00:00:00Z', 20, 45],
    ['November', '2026-11-19T00:00:00Z', 7, 28],
  ] as const;
  const days = seasons.flatMap((season) => [1, 2, 3, 4, 5].map((seed) => [...season, seed] as const));

  test.each(days)('the day in %s (%s, %i to %i kWh of PV, seed %i) has its usual shape', (...row) => {
    const [, from, leastKWh, mostKWh, seed] = row;
    const site = siteIn('UTC', 37, seed, Date.parse(from));
    const day = secondDay(site, Date.parse(from));
    const socAt = (hour: number) => day[hour * 120]?.stateOfChargePct ?? Number.NaN;

    const made = kWh(day, pv);
    expect(made).toBeGreaterThan(leastKWh);
    expect(made).toBeLessThan(mostKWh);
    // Half of the energy comes before, half after a time near noon.
    const middle = kWh(day, (reading) => (pv(reading) * (reading.nowMs % (24 * HOUR_MS))) / HOUR_MS) / made;
    expect(middle).toBeGreaterThan(10.8);
    expect(middle).toBeLessThan(13.2);
    // The battery fills by day and carries the house through evening and night.
    expect(socAt(17)).toBeGreaterThan(socAt(7) + 15);
    expect(socAt(23)).toBeLessThan(socAt(17) - 15);
    // A family's day.
    const used = kWh(day, ({ houseW }) => houseW);
    expect(used).toBeGreaterThan(8);
    expect(used).toBeLessThan(22);
  });

  test('the powers move practically every other second, by day and by night', () => {
    const site = siteIn('UTC', 37, 1, Date.UTC(2026, 5, 20));
    for (const hour of [1, 4, 8, 12, 16, 22]) {
      const startMs = Date.UTC(2026, 5, 20, hour);
      const state = plausibleState(startMs, site);
      const seen = Array.from({ length: 30 }, (_, index) => {
        const { reading } = step(state, startMs + index * 2000, 2000, DEFAULT_SETTINGS, site);
        return `${reading.loadW} ${reading.gridW} ${reading.batteryW}`;
      });
      const still = seen.filter((powers, index) => powers === seen[index - 1]);
      expect(still.length).toBeLessThanOrEqual(1);
    }
  });

  test('the same seed has the same day, another seed another', () => {
    const day = (seed: number) =>
      secondDay(siteIn('UTC', 37, seed, 0), Date.UTC(2026, 8, 1)).map(({ loadW }) => loadW);
    expect(day(7)).toEqual(day(7));
    expect(day(7)).not.toEqual(day(8));
  });
});

describe('plausibleState', () => {
  test.each([
    [5, 15, 35],
    [11, 45, 65],
    [17, 80, 95],
    [23, 45, 65],
  ])('a new plant at %i hours local time is charged between %i and %i percent', (hour, least, most) => {
    const nowMs = Date.UTC(2026, 2, 1, hour - 9);
    const { storedWh } = plausibleState(nowMs, siteIn('Asia/Tokyo', 36, 1, nowMs));
    expect(stateOfCharge(storedWh)).toBeGreaterThan(least);
    expect(stateOfCharge(storedWh)).toBeLessThan(most);
  });
});
