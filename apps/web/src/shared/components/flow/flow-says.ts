import type { TFunction } from 'i18next';
import { quantityText } from '../../format/amounts.ts';
import type { Format } from '../../format/use-format.ts';
import { directionOf } from './direction.ts';
import type { Flows } from './flows.ts';

/** The picture in sentences, for who cannot see it. */
export function flowSentences(
  { solar, load, grid, battery, stateOfCharge }: Flows,
  t: TFunction<'site'>,
  format: Format,
): string[] {
  const plain = (name: string, powerW: number | null | undefined): string | undefined => {
    if (powerW === undefined) return undefined;
    return powerW === null
      ? t('flow.says.unknown', { name })
      : t('flow.says.plain', { name, power: quantityText(format.power(Math.abs(powerW))) });
  };
  const moving = (
    name: string,
    powerW: number | null | undefined,
    words: (power: string) => readonly [string, string],
  ) => {
    const direction = directionOf(powerW);
    if (direction === 0) return plain(name, powerW);
    const [forward, backward] = words(quantityText(format.power(Math.abs(powerW ?? 0))));
    return direction > 0 ? forward : backward;
  };
  return [
    plain(t('energy.solar'), solar),
    plain(t('energy.load'), load),
    moving(t('energy.grid'), grid, (power) => [
      t('flow.says.fromGrid', { power }),
      t('flow.says.toGrid', { power }),
    ]),
    moving(t('energy.battery'), battery, (power) => [
      t('flow.says.charging', { power }),
      t('flow.says.discharging', { power }),
    ]),
    typeof stateOfCharge === 'number'
      ? t('flow.says.stateOfCharge', { percent: format.number(Math.round(stateOfCharge)) })
      : undefined,
  ].filter((sentence) => sentence !== undefined);
}
