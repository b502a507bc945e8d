/** A hybrid inverter with a 6 kW AC side. */
export const INVERTER = {
  ratedW: 6_000,
  /** Consumption of its electronics. */
  idleW: 14,
  /** Lost in conversion, as a part of the AC power. */
  lossFactor: 0.025,
} as const;

export interface BalanceInput {
  /** Power that each string could give, whole watts. */
  readonly availableW: readonly [number, number];
  /** Consumption of the house, whole watts. */
  readonly houseW: number;
  /** Battery power the battery and the settings allow, whole watts, positive charging; low <= high. */
  readonly batteryLowW: number;
  readonly batteryHighW: number;
  readonly gridCharge: boolean;
  /** Highest AC output, whole watts. */
  readonly acLimitW: number;
  /** How far the regulation misses its aim of no power at the meter, whole watts. */
  readonly missW: number;
}

/**
 * Powers of one instant in whole watts.
 *
 * Two equations hold exactly, because the losses and the grid are what the others leave:
 *
 *     pv = battery + ac + losses         on the DC side
 *     house = ac + grid                  on the AC side
 *
 * Added up: `pv + grid - battery = house + losses`. That sum is what a meter-based display calls the load, so
 * the inverter's own share is part of it, as in a real home.
 */
export interface PowerFlows {
  readonly pvW: readonly [number, number];
  /** At the battery's terminals, positive charging. */
  readonly batteryW: number;
  /** AC output, negative while the inverter draws from the grid. */
  readonly acW: number;
  /** At the meter, positive import. */
  readonly gridW: number;
  readonly houseW: number;
  readonly lossesW: number;
  readonly loadW: number;
  /** Whether less PV is taken than the sun offers. */
  readonly curtailed: boolean;
}

/**
 * Distributes the power: PV feeds the house, then the battery, then the grid; the rest of the house's consumption is
 * drawn from the battery, then from the grid.
 */
export function balance(input: BalanceInput): PowerFlows {
  const { availableW, houseW, gridCharge, acLimitW } = input;
  const offeredW = availableW[0] + availableW[1];

  const aimW = Math.min(acLimitW, Math.max(0, houseW + input.missW));
  const mostChargeW = gridCharge ? Math.floor(offeredW - dcFor(-INVERTER.ratedW)) : offeredW;
  const highW = Math.min(input.batteryHighW, mostChargeW);
  const lowW = Math.min(input.batteryLowW, highW);
  let batteryW = clamp(offeredW - Math.round(dcFor(aimW)), lowW, highW);

  const mostDcW = Math.floor(dcFor(acLimitW));
  let pvW = offeredW;
  if (pvW - batteryW > mostDcW) {
    pvW = Math.max(0, mostDcW + batteryW);
    batteryW = Math.max(batteryW, pvW - mostDcW);
  }
  const acW = acFrom(pvW - batteryW);
  const lossesW = pvW - batteryW - acW;
  const gridW = houseW - acW;
  return {
    pvW: share(pvW, availableW),
    batteryW,
    acW,
    gridW,
    houseW,
    lossesW,
    loadW: houseW + lossesW,
    curtailed: pvW < offeredW,
  };
}

/** Off the grid: the inverter stands still, the house lives from the grid alone. */
export function disconnected(houseW: number): PowerFlows {
  return {
    pvW: [0, 0],
    batteryW: 0,
    acW: 0,
    gridW: houseW,
    houseW,
    lossesW: 0,
    loadW: houseW,
    curtailed: false,
  };
}

/** DC power behind a given AC power. */
function dcFor(acW: number): number {
  return acW + INVERTER.idleW + INVERTER.lossFactor * Math.abs(acW);
}

/** Whole AC watts from a DC power, rounded down so that the losses are never negative. */
function acFrom(dcW: number): number {
  const usableW = dcW - INVERTER.idleW;
  const sign = usableW >= 0 ? 1 : -1;
  return Math.floor(usableW / (1 + sign * INVERTER.lossFactor)) + 0;
}

/** Divides whole watts between the strings in proportion to what they offer; never more than that. */
function share(totalW: number, [first, second]: readonly [number, number]): readonly [number, number] {
  if (first + second === 0) return [0, 0];
  const mine = Math.round((first * totalW) / (first + second));
  return [mine, totalW - mine];
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value)) + 0;
}
