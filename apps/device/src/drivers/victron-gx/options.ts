import { Type } from 'typebox';

const unitId = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 255, description }));

const unitIds = (description: string) =>
  Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), { uniqueItems: true, maxItems: 16, description }),
  );

const HOW = 'as the GX shows them under Settings / Integrations / Modbus TCP / Available services';

/** Each of them is looked for at the usual unit ids when it is left out; an empty list is none. */
export const OPTIONS = Type.Object(
  {
    vebus: unitId(`unit id of the Multis or Quattros (vebus), ${HOW}`),
    batteries: unitIds(
      'unit ids of the battery services; one for each battery, not two that measure the same',
    ),
    solar_chargers: unitIds('unit ids of the solar chargers (solarcharger)'),
    grid_meter: unitId('unit id of the grid meter (grid)'),
  },
  { additionalProperties: false },
);

/** The options as the configuration has them, validated. */
export interface GxOptions {
  readonly vebus: number | undefined;
  readonly batteries: readonly number[] | undefined;
  readonly solarChargers: readonly number[] | undefined;
  readonly gridMeter: number | undefined;
}

export function gxOptions(options: Readonly<Record<string, unknown>>): GxOptions {
  return {
    vebus: numberIn(options.vebus),
    batteries: numbersIn(options.batteries),
    solarChargers: numbersIn(options.solar_chargers),
    gridMeter: numberIn(options.grid_meter),
  };
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function numbersIn(value: unknown): readonly number[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'number') : undefined;
}
