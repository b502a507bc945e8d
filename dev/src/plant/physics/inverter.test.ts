import { describe, expect, test } from 'vitest';
import { type BalanceInput, balance } from './inverter.ts';

const QUIET: BalanceInput = {
  availableW: [0, 0],
  houseW: 400,
  batteryLowW: -5000,
  batteryHighW: 5000,
  gridCharge: false,
  acLimitW: 6000,
  missW: 0,
};

interface Row {
  readonly when: string;
  readonly given: Partial<BalanceInput>;
  /** PV, battery (positive charging), AC output, grid (positive import). */
  readonly expected: readonly [pv: number, battery: number, ac: number, grid: number];
}

/** Idle 14 W and 2.5 % of the AC power are lost on the way. */
const ROWS: readonly Row[] = [
  { when: 'at night the battery carries the house', given: {}, expected: [0, -424, 400, 0] },
  { when: 'an empty battery leaves it to the grid', given: { batteryLowW: 0 }, expected: [0, 0, -15, 415] },
  {
    when: 'a large load takes what the battery can give, then the grid',
    given: { houseW: 9000 },
    expected: [0, -5000, 4864, 4136],
  },
  {
    when: 'PV goes to the house first, the rest into the battery',
    given: { availableW: [2000, 1000] },
    expected: [3000, 2576, 400, 0],
  },
  {
    when: 'a full battery sends the surplus to the grid',
    given: { availableW: [2000, 1000], batteryHighW: 0 },
    expected: [3000, 0, 2913, -2513],
  },
  {
    when: 'more than the battery takes is exported',
    given: { availableW: [4000, 3000], batteryHighW: 1000 },
    expected: [7000, 1000, 5840, -5440],
  },
  {
    when: 'what neither battery nor AC side can take is left on the roof',
    given: { availableW: [4000, 3000], batteryHighW: 0 },
    expected: [6164, 0, 6000, -5600],
  },
  {
    when: 'a limited AC output throttles PV, though the house then buys',
    given: { availableW: [2000, 1000], batteryHighW: 0, acLimitW: 300 },
    expected: [321, 0, 299, 101],
  },
  {
    when: 'a demanded charge takes PV only',
    given: { availableW: [500, 0], batteryLowW: 2000 },
    expected: [500, 500, -15, 415],
  },
  {
    when: 'a demanded charge takes the grid too where that is allowed',
    given: { availableW: [500, 0], batteryLowW: 2000, gridCharge: true },
    expected: [500, 2000, -1553, 1953],
  },
  {
    when: 'a demanded discharge is exported',
    given: { batteryHighW: -3000 },
    expected: [0, -3000, 2913, -2513],
  },
  {
    when: 'a demanded discharge stops at the AC limit',
    given: { batteryHighW: -3000, acLimitW: 1000 },
    expected: [0, -1039, 1000, -600],
  },
];

describe('balance', () => {
  test.each(ROWS)('$when', ({ given, expected: [pv, battery, ac, grid] }) => {
    const flows = balance({ ...QUIET, ...given });
    expect({
      pv: flows.pvW[0] + flows.pvW[1],
      battery: flows.batteryW,
      ac: flows.acW,
      grid: flows.gridW,
    }).toEqual({ pv, battery, ac, grid });
    expect(flows.loadW).toBe(pv + grid - battery);
  });

  test('throttled strings share what is left in proportion', () => {
    const { pvW, curtailed } = balance({
      ...QUIET,
      availableW: [4000, 2000],
      batteryHighW: 0,
      acLimitW: 2912,
    });
    expect(curtailed).toBe(true);
    expect(pvW).toEqual([1999, 999]);
  });
});
