import type { RegisterBank } from '@heliograph/dev/modbus';
import { PlantClock, PV_STRINGS, SimulatedPlant, SunSpecRegisters, siteIn } from '@heliograph/dev/plant';
import { DeyeRegisters } from '@heliograph/dev/plant/deye';
import { loadFamilies } from '@heliograph/device/families';
import { SteppedDevice, type StoredAlert } from '@heliograph/device/testing/stepped-device';
import { ManualClock } from '@heliograph/kit';
import { type PlantedFault, plantFaults } from './faults.ts';
import { busOf, type FaultEffect, FaultyHardware } from './hardware.ts';
import { type Raised, type RuleCount, verdictOf } from './verdict.ts';

const DAY_MS = 86_400_000;

/** Usual production is known after so many days. */
const WARM_UP_DAYS = 6;

export interface HomeOptions {
  readonly name: string;
  readonly driver: 'sunspec' | 'deye';
  /** IANA name. */
  readonly timeZone: string;
  readonly latitudeDeg: number;
  readonly seed: number;
  /** Its modules, compared with those of 6 kW. */
  readonly size: number;
}

export interface HomePeriod {
  /** Milliseconds since the epoch. */
  readonly fromMs: number;
  readonly days: number;
  readonly pollMs: number;
  /** How often each kind of fault occurs. */
  readonly rounds: number;
}

export const HOMES: readonly HomeOptions[] = [
  { name: 'Berlin', driver: 'sunspec', timeZone: 'Europe/Berlin', latitudeDeg: 52, seed: 11, size: 1 },
  { name: 'Madrid', driver: 'deye', timeZone: 'Europe/Madrid', latitudeDeg: 40, seed: 22, size: 1 },
  { name: 'Stockholm', driver: 'deye', timeZone: 'Europe/Stockholm', latitudeDeg: 59, seed: 33, size: 0.7 },
  { name: 'Sydney', driver: 'deye', timeZone: 'Australia/Sydney', latitudeDeg: -34, seed: 44, size: 1.8 },
  { name: 'Phoenix', driver: 'sunspec', timeZone: 'America/Phoenix', latitudeDeg: 33, seed: 55, size: 1.8 },
  { name: 'Tokyo', driver: 'sunspec', timeZone: 'Asia/Tokyo', latitudeDeg: 36, seed: 66, size: 0.5 },
];

const WELL: FaultEffect = {};

/** A setting of each driver, and two values of it that do no harm. */
const SETTING = {
  sunspec: { topic: 'inverter_1/battery_reserve', values: ['12', '10'] },
  deye: { topic: 'inverter_1/max_grid_charge_current', values: ['38', '40'] },
} as const;

/** Runs a home with planted faults through its time. @returns by rule, which faults were reported and what was false */
export async function runHome(
  { driver, timeZone, latitudeDeg, seed, size }: HomeOptions,
  { fromMs, days, pollMs, rounds }: HomePeriod,
): Promise<readonly RuleCount[]> {
  let effect = WELL;
  // The sun does not follow the clock of a device.
  const time = new ManualClock(fromMs);
  const clock = new ManualClock(fromMs);
  const monotonic = (): number => time.monotonic();
  const site = {
    ...siteIn(timeZone, latitudeDeg, seed, fromMs),
    strings: [larger(PV_STRINGS[0], size), larger(PV_STRINGS[1], size)] as const,
    light: () => effect.light ?? 1,
  };
  const plant = new SimulatedPlant(new PlantClock(time, { speed: 1 }), site);
  const bank: RegisterBank =
    driver === 'sunspec'
      ? new SunSpecRegisters(plant, 'A1', monotonic, () => undefined)
      : new DeyeRegisters(plant, {
          profile: 'three-phase LV',
          serialNumber: '2600000001',
          monotonic,
          utcOffsetMs: site.utcOffsetMs,
        });
  const family = (await loadFamilies({ wanted: [driver] })).get(driver);
  if (family?.speaks !== 'modbus') throw new Error(`${driver} does not speak Modbus`);
  const bus = busOf(bank);
  const raised: Raised[] = [];
  const device = new SteppedDevice(
    {
      open: async () =>
        new FaultyHardware(await family.open(bus, { unit: 1, options: {} }, clock), () => effect),
      clock,
      intervalMs: pollMs,
      timeZone,
      passed: { release: fromMs - 30 * DAY_MS, last_reading: fromMs },
      freeStorageMb: () => effect.freeStorageMb ?? 5_000,
      history: () => effect.history ?? 'Recording',
    },
    (alert) => {
      if (isNew(alert)) raised.push({ alert, atMs: time.now() });
    },
  );
  await device.start();
  try {
    const faults = plantFaults({
      fromMs: fromMs + WARM_UP_DAYS * DAY_MS,
      toMs: fromMs + days * DAY_MS,
      seed,
      utcOffsetMs: site.utcOffsetMs,
      rounds,
      topics: new Set(device.snapshots.current.samples.keys()),
    });
    let current: PlantedFault | undefined;
    for (const toMs = fromMs + days * DAY_MS; time.now() < toMs; ) {
      const nowMs = time.now() + pollMs;
      const next = faults.find(
        (fault) => fault.fromMs <= nowMs && nowMs < Math.max(fault.toMs, fault.fromMs + pollMs),
      );
      if (next !== current) {
        const [before, after] = [current?.kind.effect ?? WELL, next?.kind.effect ?? WELL];
        [current, effect] = [next, after];
        if (before.clockOffMs !== after.clockOffMs) clock.jump(time.now() + (after.clockOffMs ?? 0));
        if (before.writes !== undefined || after.writes !== undefined) {
          const { topic, values } = SETTING[driver];
          // A write that fails is the fault.
          await device.settings
            .set(topic, values[after.writes === undefined ? 1 : 0], { name: 'local', via: 'lan' })
            .catch(() => undefined);
        }
      }
      time.advance(pollMs);
      await device.step();
    }
    return verdictOf(faults, raised);
  } finally {
    await device.stop();
  }
}

/** One that returns is the same alert, and no other message. */
function isNew({ times, clearedAt, acknowledgedAt }: StoredAlert): boolean {
  return times === 1 && clearedAt === null && acknowledgedAt === null;
}

function larger<String extends { readonly peakW: number }>(string: String, size: number): String {
  return { ...string, peakW: Math.round(string.peakW * size) };
}
