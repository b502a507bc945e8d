import {
  countryOf,
  currencyOf,
  type Money,
  moneyOf,
  priceText,
  type ShopTerms,
  type TaxRate,
} from '@heliograph/contracts';
import { type Static, Type } from 'typebox';

const Country = Type.String({ pattern: '^[A-Z]{2}$' });
const Price = Type.Union([Type.String(), Type.Number()]);

/** Taxes and delivery as a catalogue's file has them. */
export const TermsOfFile = {
  taxes: Type.Optional(
    Type.Object(
      {
        included: Type.Boolean(),
        country: Type.Optional(Country),
        reverse_charge: Type.Optional(Type.Boolean()),
        rates: Type.Array(
          Type.Object(
            {
              country: Country,
              region: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
              category: Type.Enum(['standard', 'reduced']),
              name: Type.String({ minLength: 1, maxLength: 100 }),
              rate: Price,
            },
            { additionalProperties: false },
          ),
          { maxItems: 1_000 },
        ),
      },
      { additionalProperties: false },
    ),
  ),
  shipping: Type.Optional(Type.Record(Type.String(), Price)),
};
const Given = Type.Object(TermsOfFile);
type Given = Static<typeof Given>;

/** Of a seller whose file has none. */
export const NO_TERMS: ShopTerms = {
  prices_include_tax: true,
  country: null,
  reverse_charge: false,
  tax_rates: [],
  shipping: [],
};

export function readTerms({ taxes, shipping = {} }: Given): {
  readonly terms: ShopTerms;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const rates = (taxes?.rates ?? []).map(({ region = null, rate, ...fields }, index): TaxRate => {
    if (!/^0(\.\d{1,6})?$/.test(String(rate)))
      problems.push(`taxes.rates[${index}]: ${rate} is no rate, such as 0.19`);
    if (countryOf(fields.country) === undefined)
      problems.push(`taxes.rates[${index}]: ${fields.country} is no country of ISO 3166-1`);
    return { ...fields, region, rate: String(rate) };
  });
  const home = taxes?.country;
  if (home !== undefined && countryOf(home) === undefined)
    problems.push(`taxes.country: ${home} is no country of ISO 3166-1`);
  const { prices, problems: problemsOfPrices } = readPrices(shipping);
  problems.push(...problemsOfPrices.map((problem) => `shipping: ${problem}`));
  const terms: ShopTerms = {
    prices_include_tax: taxes?.included ?? NO_TERMS.prices_include_tax,
    country: taxes?.country ?? null,
    reverse_charge: taxes?.reverse_charge ?? false,
    tax_rates: rates,
    shipping: prices,
  };
  return { terms, problems };
}

/** As {@link readTerms} reads them. */
export function writeTerms(terms: ShopTerms): object {
  const hasTaxes = terms.tax_rates.length > 0 || terms.country !== null || !terms.prices_include_tax;
  const rates = terms.tax_rates.map(({ region, ...rate }) => ({
    ...rate,
    ...(region !== null && { region }),
  }));
  return {
    ...(hasTaxes && {
      taxes: {
        included: terms.prices_include_tax,
        ...(terms.country !== null && { country: terms.country }),
        ...(terms.reverse_charge && { reverse_charge: true }),
        rates,
      },
    }),
    ...(terms.shipping.length > 0 && { shipping: writePrices(terms.shipping) }),
  };
}

/** Prices by currency, in the order of currencies. */
export function readPrices(given: Readonly<Record<string, string | number>>): {
  readonly prices: Money[];
  readonly problems: readonly string[];
} {
  const prices: Money[] = [];
  const problems: string[] = [];
  for (const [code, price] of Object.entries(given)) {
    const currency = currencyOf(code);
    const money = currency === undefined ? undefined : moneyOf(String(price), currency);
    if (currency === undefined) problems.push(`${code} is no currency of ISO 4217`);
    else if (money === undefined) problems.push(`${price} is no price in ${currency}`);
    else if (prices.some((other) => other.currency === currency)) problems.push(`${currency} stands twice`);
    else prices.push(money);
  }
  return { prices: prices.toSorted((one, other) => (one.currency < other.currency ? -1 : 1)), problems };
}

export function writePrices(prices: readonly Money[]): Record<string, string> {
  return Object.fromEntries(prices.map((price) => [price.currency, priceText(price)]));
}
