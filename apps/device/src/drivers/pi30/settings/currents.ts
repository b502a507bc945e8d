import { numberSetting } from './numbers.ts';
import { numberOf, type Pi30Setting, type Pi30SettingContext } from './setting.ts';

/** From here on the command for a grid charge current differs from firmware to firmware. */
const FIRST_OF_THREE_DIGITS = 100;

const NOT_LISTED = 'the inverter does not list which values it takes';

export function currentSettings(context: Pi30SettingContext): readonly Pi30Setting[] {
  const number = numberOf(context);
  const { chargeCurrents, gridChargeCurrents } = context;
  return [
    numberSetting(
      {
        name: 'Max charge current',
        unit: 'A',
        decimals: 0,
        at: 14,
        remark: 'the values that the inverter lists (QMCHGCR)',
      },
      ascending(chargeCurrents),
      (amps) =>
        amps < FIRST_OF_THREE_DIGITS
          ? `MCHGC${number}${digits(amps, 2)}`
          : `MNCHGC${number}${digits(amps, 3)}`,
      NOT_LISTED,
    ),
    numberSetting(
      {
        name: 'Max grid charge current',
        unit: 'A',
        decimals: 0,
        at: 13,
        remark: 'the values that the inverter lists (QMUCHGCR), those of 100 A and more left out',
      },
      ascending(gridChargeCurrents).filter((amps) => amps < FIRST_OF_THREE_DIGITS),
      (amps) => `MUCHGC${number}${digits(amps, 2)}`,
      NOT_LISTED,
    ),
    numberSetting(
      {
        name: 'Max discharge current',
        unit: 'A',
        decimals: 0,
        at: 27,
        remark: 'newer firmware, one source; only shown',
      },
      [],
      String,
      'the command for it is not confirmed',
    ),
  ];
}

function ascending(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b);
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}
