import type { Quantity, Unit } from '@heliograph/metrics';
import { numberIn } from '../fields.ts';
import { shownSetting } from '../map/quantities.ts';
import { QPIRI } from '../map/ratings.ts';
import type { Pi30Setting } from './setting.ts';

/** A setting that is a number in `QPIRI`. */
export interface NumberSetting {
  readonly name: string;
  readonly unit: Unit;
  readonly decimals: 0 | 1;
  readonly at: number;
  readonly refusedWhen?: string;
  readonly remark?: string;
}

/**
 * @param choices every value that the inverter takes, lowest first
 * @param readOnlyBecause why there is none
 */
export function numberSetting(
  { name, unit, decimals, at, refusedWhen, remark }: NumberSetting,
  choices: readonly number[],
  command: (value: number) => string,
  readOnlyBecause: string,
): Pi30Setting {
  const quantity: Quantity =
    choices.length === 0
      ? shownSetting(name, unit, readOnlyBecause, decimals)
      : { name, group: 'Settings', unit, decimals, setting: ruleOf(choices, decimals) };
  return {
    quantity,
    query: QPIRI,
    from: `QPIRI field ${at}`,
    read: (fields) => (at < fields.length ? numberIn(fields[at]) : undefined),
    commands: new Map(choices.map((choice) => [choice, command(choice)])),
    ...(refusedWhen === undefined ? {} : { refusedWhen }),
    ...(remark === undefined ? {} : { remark }),
  };
}

/** The widest step that leads from the lowest choice to every other one; those in between are refused later. */
function ruleOf(choices: readonly number[], decimals: number): NonNullable<Quantity['setting']> {
  const scale = 10 ** decimals;
  const whole = choices.map((choice) => Math.round(choice * scale));
  const [lowest = 0] = whole;
  const step = whole.reduce((common, choice) => divisor(common, choice - lowest), 0);
  return { kind: 'number', min: lowest / scale, max: Math.max(...whole) / scale, step: (step || 1) / scale };
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
