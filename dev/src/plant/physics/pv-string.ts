import { type ClearSky, type Direction, planeNormal } from './sun.ts';

export interface PvString {
  /** Power under standard test conditions: 1000 W/m2, cells at 25 C. */
  readonly peakW: number;
  /** The direction of the roof from the noon sun's direction: negative to the east, positive to the west. */
  readonly fromNoonDeg: number;
  readonly tiltDeg: number;
  readonly modules: number;
}

/** The power that a string could give now, and its cell temperature. */
export interface PvPotential {
  readonly availableW: number;
  readonly cellC: number;
}

/** Per kelvin above 25 C, of the power and of the voltage; usual figures of crystalline silicon data sheets. */
const POWER_COEFFICIENT = -0.0035;
const VOLTAGE_COEFFICIENT = -0.0027;
/** Nominal operating cell temperature: 45 C at 800 W/m2 and 20 C of air. */
const KELVIN_PER_IRRADIANCE = (45 - 20) / 800;
/** The share of the power behind wiring, mismatch and dust. */
const WIRING_FACTOR = 0.96;
const MODULE_MPP_V = 32;
const MODULE_OPEN_V = 38;
/** Below this the inverter does not start the string. */
const WAKE_UP_W = 5;

/** Light on a tilted plane in W/m2: beam by angle, scattered light from the part of the sky it sees. */
export function planeIrradiance(sky: ClearSky, sun: Direction, normal: Direction, cover: number): number {
  if (sun.up <= 0) return 0;
  const facing = Math.max(0, sun.east * normal.east + sun.north * normal.north + sun.up * normal.up);
  const scattered = sky.diffuse + 0.3 * cover * sky.beam * sun.up;
  return sky.beam * (1 - cover) * facing + (scattered * (1 + normal.up)) / 2;
}

/**
 * Whole watts that a string could give at its maximum power point.
 *
 * @param noonAzimuthDeg where the sun stands at noon: 180 north of the tropics, 0 south of them
 * @param airC air temperature
 */
export function pvPotential(
  string: PvString,
  sky: ClearSky,
  sun: Direction,
  cover: number,
  noonAzimuthDeg: number,
  airC: number,
): PvPotential {
  // East of the noon direction is a smaller azimuth in the north, a larger one in the south.
  const side = noonAzimuthDeg === 180 ? 1 : -1;
  const normal = planeNormal(noonAzimuthDeg + side * string.fromNoonDeg, string.tiltDeg);
  const irradiance = planeIrradiance(sky, sun, normal, cover);
  const cellC = airC + irradiance * KELVIN_PER_IRRADIANCE;
  const heat = 1 + POWER_COEFFICIENT * (cellC - 25);
  const watts = Math.floor(((string.peakW * irradiance) / 1000) * heat * WIRING_FACTOR);
  return { availableW: watts < WAKE_UP_W ? 0 : watts, cellC };
}

/** The string's voltage: at its maximum power point, rising towards open circuit as power is left unused. */
export function pvVoltage(string: PvString, potential: PvPotential, takenW: number): number {
  if (potential.availableW === 0) return 0;
  const unused = 1 - takenW / potential.availableW;
  const brightness = Math.min(1, potential.availableW / string.peakW);
  const moduleV = MODULE_MPP_V + (MODULE_OPEN_V - MODULE_MPP_V) * unused;
  const heat = 1 + VOLTAGE_COEFFICIENT * (potential.cellC - 25);
  // A string in weak light gives a little less than its full voltage.
  return string.modules * moduleV * heat * (0.94 + 0.06 * Math.sqrt(brightness));
}
