import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { nullable } from '../common/schemas.ts';

const LocalDate = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-01-01'] });

/** Prices of a kWh stay within what any country pays for one. */
const Price = (description: string) => Type.Number({ minimum: -1_000, maximum: 100_000, description });

/** When a price applies. A condition that is left out is met always. */
export const TariffBand = Type.Object({
  price: Price('For a kWh, taxes included, in the currency'),
  name: Type.Optional(Type.String({ maxLength: 40, examples: ['Peak'] })),
  months: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 12 }), {
      minItems: 1,
      maxItems: 12,
      description: 'From 1',
    }),
  ),
  weekdays: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      minItems: 1,
      maxItems: 7,
      description: 'From 1, a Monday, to 7. Holidays are none of them',
    }),
  ),
  holidays: Type.Optional(
    Type.Boolean({ description: 'Whether it applies on the holidays of the tariff, besides its weekdays' }),
  ),
  from_hour: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 23,
      description: 'The full hour of the local clock at which it begins',
    }),
  ),
  to_hour: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 24,
      description:
        'The full hour at which it ends; before `from_hour` for the end and the beginning of a day',
    }),
  ),
});
export type TariffBand = Static<typeof TariffBand>;

const Bands = (description: string) =>
  Type.Array(TariffBand, {
    minItems: 1,
    maxItems: 24,
    description: `${description}. The first band that applies counts; the last one applies always`,
  });

export const NET_METERING_PERIODS = ['month', 'year'] as const;

export const FIXED_CHARGE_PERIODS = ['day', 'month', 'year'] as const;

/** The prices of a contract from a date until the next tariff. */
export const Tariff = Type.Object({
  valid_from: LocalDate('The first day, in the time zone of the site'),
  name: Type.Optional(Type.String({ maxLength: 80 })),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217', examples: ['EUR'] }),
  import: Bands('What energy from the grid costs'),
  export: Bands('What energy to the grid earns'),
  fixed_charges: Type.Array(
    Type.Object({
      name: Type.Optional(Type.String({ maxLength: 40 })),
      amount: Type.Number({ minimum: -1_000_000, maximum: 1_000_000, description: 'Taxes included' }),
      per: Type.Enum([...FIXED_CHARGE_PERIODS]),
    }),
    { maxItems: 10 },
  ),
  holidays: Type.Optional(Type.Array(LocalDate('A holiday'), { maxItems: 400 })),
  export_limit: Type.Optional(
    Type.Enum(['none', 'import_cost'], {
      description: 'import_cost: within a month exports earn no more than imports cost, as in Spain',
    }),
  ),
  net_metering: Type.Optional(
    nullable(
      Type.Object(
        {
          settled: Type.Optional(
            Type.Enum([...NET_METERING_PERIODS], {
              description:
                'How long exports and imports count against each other. month, also when left out: imports of a month cost what its exports and kWh carried from before do not pay for. year: all imports of the year that `year_ends` ends count against all of its exports, as in the Netherlands and in Hungary; a month then costs what it adds to the bill of that year, which is negative where it takes off',
            }),
          ),
          surplus_price: Price('For a kWh that is left when the year ends'),
          year_ends: Type.Integer({ minimum: 1, maximum: 12, description: 'The last month of the year' }),
        },
        {
          description:
            'Exports pay for imports of the same band, kWh for kWh; what a month leaves is carried to the next one until the year ends. `export` has no meaning then',
        },
      ),
    ),
  ),
});
export type Tariff = Static<typeof Tariff>;

/** `GET /api/v1/tariffs` on a device. */
export const TariffList = Type.Object({
  tariffs: Type.Array(Tariff, { maxItems: 100, description: 'In the order of their first days' }),
});
export type TariffList = Static<typeof TariffList>;

/** `PUT /api/v1/tariffs` on a device: the whole list. */
export const TariffListBody = Type.Object({
  tariffs: Type.Array(Tariff, { maxItems: 100 }),
  reprice: Type.Optional(
    Type.Boolean({ description: 'Whether prices of days that are over may change; without it they may not' }),
  ),
});
export type TariffListBody = Static<typeof TariffListBody>;

export const tariffOperations = operations('metrics', {
  listTariffs: {
    route: 'GET /api/v1/tariffs',
    summary: 'The prices of energy, by which its costs are computed',
    requires: 'read',
    answers: { 200: TariffList },
  },

  setTariffs: {
    route: 'PUT /api/v1/tariffs',
    summary: 'Sets the prices of energy',
    description:
      'The whole list. New prices are another tariff with a later first day: what a day that is over cost does not change, unless `reprice` is true.',
    requires: 'configure',
    body: TariffListBody,
    answers: { 200: TariffList },
    refusals: [422],
  },
});
