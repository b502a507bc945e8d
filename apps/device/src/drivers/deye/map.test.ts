import { roundTo } from '@heliograph/metrics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extentOf, planBlocks, spansOf } from '../modbus/blocks.ts';
import { decode, encode } from '../modbus/codec.ts';
import { DESCRIBED_UNITS, LIMITS } from './family.ts';
import { measuredRows } from './identity.ts';
import type { DeyeRegisterRow } from './row.ts';
import { isThreePhase, PROFILES, type Profile } from './row.ts';
import { settingsFor } from './settings.ts';
import { ONE_BATTERY, TWO_BATTERIES } from './three-phase.ts';
import { possibleRows } from './unit-plan.ts';

const MAX_READ = 100;

const rowsOf = (profile: Profile): readonly DeyeRegisterRow[] => [
  ...measuredRows(profile),
  ...(isThreePhase(profile) ? [...ONE_BATTERY, ...TWO_BATTERIES.flat()] : []),
  ...settingsFor(profile, 5000),
];

const registerOf = fc.integer({ min: 0, max: 0xffff });
const rawOf = ({ registers: { length } }: DeyeRegisterRow) =>
  fc.array(registerOf, { minLength: length, maxLength: length });

describe.each(PROFILES)('the map of a %s inverter', (profile) => {
  it('every row decodes any registers to null or a value of its quantity', () => {
    for (const row of rowsOf(profile)) {
      fc.assert(
        fc.property(rawOf(row), (raw) => {
          const value = decode(row, raw);
          expect(roundTo(row.quantity, value), row.quantity.name).toEqual(value);
          const { setting } = row.quantity;
          if (row.type === 'code' && setting?.kind === 'select' && value !== null) {
            if (!String(value).startsWith('Unknown (')) expect(setting.options).toContain(value);
          }
        }),
        { numRuns: 20 },
      );
    }
  });

  it('every setting encodes and decodes to the same value and preserves the other bits', () => {
    for (const row of settingsFor(profile, 5000)) {
      fc.assert(
        fc.property(settable(row), fc.integer({ min: 0, max: 0x7fff }), (value, before) => {
          const [raw = -1] = encode(row, value, [before]);
          expect(raw).toBeGreaterThanOrEqual(0);
          expect(raw).toBeLessThanOrEqual(0xffff);
          const now = decode(row, [raw]);
          expect(typeof now === 'boolean' ? String(now) : now, row.quantity.name).toBe(value);
          const mask = row.type === 'code' || row.type === 'switch' ? (row.mask ?? 0xffff) : 0xffff;
          expect(raw & ~mask).toBe(before & ~mask);
        }),
        { numRuns: 20 },
      );
    }
  });

  it('no two settings share bits of a register', () => {
    const taken = new Map<number, number>();
    for (const row of settingsFor(profile, null)) {
      const [address = -1] = row.registers;
      const mask = row.type === 'code' || row.type === 'switch' ? (row.mask ?? 0xffff) : 0xffff;
      expect((taken.get(address) ?? 0) & mask, row.quantity.name).toBe(0);
      taken.set(address, (taken.get(address) ?? 0) | mask);
    }
  });

  it('the map is read in at most seven requests, with all powers in one', () => {
    const identity = { profile, serialNumber: null, ratedW: null, strings: null, phases: null };
    const wanted = possibleRows(identity).flatMap(({ registers }) => registers);
    const blocks = planBlocks(spansOf(possibleRows(identity)), LIMITS).map(extentOf);
    expect(blocks.length).toBeLessThanOrEqual(7);
    for (const { count } of blocks) expect(count).toBeLessThanOrEqual(MAX_READ);
    const blockOf = (register: number) =>
      blocks.findIndex(({ address, count }) => register >= address && register < address + count);
    for (const register of wanted) expect(blockOf(register), String(register)).toBeGreaterThanOrEqual(0);
    const powers = rowsOf(profile).filter(({ quantity: { name } }) =>
      /^(PV power \d|Grid power|Battery power|Load power essential)$/.test(name),
    );
    expect(new Set(powers.map(({ registers: [low = -1] }) => blockOf(low))).size).toBe(1);
  });
});

/** Values that clients may write, as the driver receives them. */
function settable({
  quantity: { name, setting, decimals = 0 },
}: DeyeRegisterRow): fc.Arbitrary<number | string> {
  if (setting?.kind === 'select') return fc.constantFrom(...setting.options);
  if (setting?.kind === 'switch') return fc.constantFrom(setting.on, setting.off);
  if (setting?.kind !== 'number') throw new Error(`${name} is no setting`);
  const { min, max, step } = setting;
  return fc
    .nat(Math.floor((max - min) / step))
    .map((steps) => Number((min + steps * step).toFixed(decimals)));
}

it('the described units list every quantity once', () => {
  for (const { title, rows } of DESCRIBED_UNITS) {
    const names = rows.map(({ quantity }) => quantity.name);
    expect(new Set(names).size, title).toBe(names.length);
  }
});
