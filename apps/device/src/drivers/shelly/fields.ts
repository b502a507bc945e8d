import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { Entry } from '../entries.ts';
import { METER, ofPhase } from '../meter-quantities.ts';

/** A JSON answer, whatever its properties. */
export type Answer = Readonly<Record<string, unknown>>;

/** One number of an answer. */
export interface Field {
  readonly quantity: Quantity;
  /** The property, such as `act_power`, or `aenergy.total` for one within another. */
  readonly property: string;
  /** The divisor of the number: energies are in watt-hours. */
  readonly per?: number;
}

const WH_PER_KWH = 1_000;

const field = (quantity: Quantity, property: string): Field => ({ quantity, property });
const energy = (quantity: Quantity, property: string): Field => ({ quantity, property, per: WH_PER_KWH });

/** `/emeter/N` of the first generation. */
export const EMETER_FIELDS: readonly Field[] = [
  field(METER.power, 'power'),
  field(METER.voltage, 'voltage'),
  field(METER.current, 'current'),
  field(METER.reactivePower, 'reactive'),
  field(METER.powerFactor, 'pf'),
  energy(METER.importEnergy, 'total'),
  energy(METER.exportEnergy, 'total_returned'),
];

/** The letters of `EM.GetStatus`, by phase. */
export const PHASE_LETTERS = ['a', 'b', 'c'] as const;
export type PhaseLetter = (typeof PHASE_LETTERS)[number];

/** One phase of `EM.GetStatus`. */
export function phaseFields(letter: PhaseLetter): readonly Field[] {
  return [
    field(METER.power, `${letter}_act_power`),
    field(METER.voltage, `${letter}_voltage`),
    field(METER.current, `${letter}_current`),
    field(METER.frequency, `${letter}_freq`),
    field(METER.apparentPower, `${letter}_aprt_power`),
    field(METER.powerFactor, `${letter}_pf`),
  ];
}

/** One phase of `EMData.GetStatus`. */
export function phaseEnergies(letter: PhaseLetter): readonly Field[] {
  return [
    energy(METER.importEnergy, `${letter}_total_act_energy`),
    energy(METER.exportEnergy, `${letter}_total_act_ret_energy`),
  ];
}

/** All phases of `EM.GetStatus` together. */
export const EM_FIELDS: readonly Field[] = [
  field(METER.power, 'total_act_power'),
  field(METER.current, 'total_current'),
  field(METER.frequency, 'a_freq'),
  field(METER.apparentPower, 'total_aprt_power'),
  ...PHASE_LETTERS.flatMap((letter, index) =>
    [
      field(METER.power, `${letter}_act_power`),
      field(METER.voltage, `${letter}_voltage`),
      field(METER.current, `${letter}_current`),
    ].map(({ quantity, property }) => field(ofPhase(quantity, index + 1), property)),
  ),
];

/** `EMData.GetStatus`. */
export const EM_DATA_FIELDS: readonly Field[] = [
  energy(METER.importEnergy, 'total_act'),
  energy(METER.exportEnergy, 'total_act_ret'),
];

/** `EM1.GetStatus`. */
export const EM1_FIELDS: readonly Field[] = [
  field(METER.power, 'act_power'),
  field(METER.voltage, 'voltage'),
  field(METER.current, 'current'),
  field(METER.frequency, 'freq'),
  field(METER.apparentPower, 'aprt_power'),
  field(METER.powerFactor, 'pf'),
];

/** `EM1Data.GetStatus`. */
export const EM1_DATA_FIELDS: readonly Field[] = [
  energy(METER.importEnergy, 'total_act_energy'),
  energy(METER.exportEnergy, 'total_act_ret_energy'),
];

/** `PM1.GetStatus`, and `Switch.GetStatus` of a switch that measures. */
export const PM_FIELDS: readonly Field[] = [
  field(METER.power, 'apower'),
  field(METER.voltage, 'voltage'),
  field(METER.current, 'current'),
  field(METER.frequency, 'freq'),
  field(METER.apparentPower, 'aprtpower'),
  field(METER.powerFactor, 'pf'),
  energy(METER.importEnergy, 'aenergy.total'),
  energy(METER.exportEnergy, 'ret_aenergy.total'),
];

/** The fields that an answer has; a number that the hardware marks as invalid is unknown. */
export function entriesOf(answer: Answer, fields: readonly Field[]): readonly Entry[] {
  return fields.flatMap(({ quantity, property, per = 1 }): readonly Entry[] => {
    const value = property.split('.').reduce<unknown>((part, name) => Object(part)[name], answer);
    if (value === undefined) return [];
    const isKnown = typeof value === 'number' && answer.is_valid !== false;
    return [[quantity, isKnown ? value / per : null]];
  });
}

/** @returns null when a part is unknown, undefined when there is none */
export function sumOf(parts: readonly MetricValue[]): number | null | undefined {
  if (parts.length === 0) return undefined;
  return parts.reduce<number | null>(
    (sum, part) => (sum === null || typeof part !== 'number' ? null : sum + part),
    0,
  );
}
