import { APPLIANCES, type Appliance, type Phase } from './appliances.ts';
import { chance, smoothNoise, swing } from './noise.ts';

const DAY_S = 86_400;

/** Standby of everything that is never off. */
const STANDBY_W = 230;
const FRIDGE_W = 85;
const FRIDGE_CYCLE_S = 2_400;
const FRIDGE_ON_S = 900;

/**
 * The consumption of the house, in whole watts: standby, the fridge's compressor, lights and people in the morning and
 * the evening, and appliances whose times are drawn again for each day. The same for a seed and an instant.
 *
 * @param localMs milliseconds since the epoch, moved by the place's offset from UTC
 */
export function houseLoadW(seed: number, localMs: number): number {
  const seconds = localMs / 1000;
  const day = Math.floor(seconds / DAY_S);
  const hour = (seconds - day * DAY_S) / 3600;
  const watts =
    STANDBY_W +
    fridgeW(seed, seconds) +
    people(hour) * (0.75 + 0.5 * smoothNoise(seed + 21, localMs, 1_200_000)) +
    applianceW(seed, seconds, day) +
    flicker(seed, localMs);
  return Math.round(watts);
}

/** Lights and people: a small hump in the morning, a large one in the evening, W. */
function people(hour: number): number {
  const hump = (at: number, width: number) => Math.exp(-(((hour - at) / width) ** 2));
  return 220 * hump(7.2, 1) + 90 * hump(13, 2.5) + 420 * hump(20.3, 2);
}

/** Chargers, pumps, screens: nothing in a home stands still for two seconds. */
function flicker(seed: number, localMs: number): number {
  return (
    18 * swing(seed + 22, localMs, 45_000) +
    11 * swing(seed + 23, localMs, 5_000) +
    7 * swing(seed + 24, localMs, 1_300)
  );
}

function fridgeW(seed: number, seconds: number): number {
  const cycle = Math.floor(seconds / FRIDGE_CYCLE_S);
  const startS = chance(seed + 25, cycle) * (FRIDGE_CYCLE_S - FRIDGE_ON_S);
  const intoS = seconds - cycle * FRIDGE_CYCLE_S - startS;
  return intoS >= 0 && intoS < FRIDGE_ON_S ? FRIDGE_W : 0;
}

function applianceW(seed: number, seconds: number, today: number): number {
  let watts = 0;
  for (const [index, appliance] of APPLIANCES.entries()) {
    // A programme that began before midnight runs on.
    watts += programmeW(seed, index, appliance, today, seconds);
    watts += programmeW(seed, index, appliance, today - 1, seconds);
  }
  return watts;
}

function programmeW(seed: number, index: number, appliance: Appliance, day: number, seconds: number): number {
  let watts = 0;
  for (const [use, { from, to, likely }] of appliance.uses.entries()) {
    if (chance(seed + 26, day, index, use) >= likely) continue;
    const hour = from + (to - from) * chance(seed + 27, day, index, use);
    watts = Math.max(watts, phaseW(appliance.phases, seconds - day * DAY_S - hour * 3600));
  }
  return watts;
}

function phaseW(phases: readonly Phase[], sinceStartS: number): number {
  if (sinceStartS < 0) return 0;
  let intoS = sinceStartS;
  for (const phase of phases) {
    if (intoS < phase.minutes * 60) {
      if (phase.onOffS === undefined) return phase.watts;
      const [on, off] = phase.onOffS;
      return intoS % (on + off) < on ? phase.watts : 0;
    }
    intoS -= phase.minutes * 60;
  }
  return 0;
}
