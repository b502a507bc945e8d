/** A rate of tax, as the record of a change has it. */
export interface RecordedRate {
  readonly country: string;
  readonly region?: string;
  readonly category: string;
  readonly name: string;
  /** A decimal fraction, such as `0.19`. */
  readonly rate: string;
}

/** A seller's taxes and prices of delivery, as the record of a change has them: parts with their defaults are left out. */
interface RecordedTerms {
  readonly taxes?: {
    readonly included: boolean;
    readonly country?: string;
    readonly reverse_charge?: boolean;
    readonly rates: readonly RecordedRate[];
  };
  /** Prices by currency. */
  readonly shipping?: Readonly<Record<string, string>>;
}

/** The parts of a seller's terms that differ, each by the name of its detail. */
export function shopDetails(from: unknown, to: unknown) {
  const [before, after] = [partsOf(from as RecordedTerms), partsOf(to as RecordedTerms)];
  const names = Object.keys(after) as (keyof typeof after)[];
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ name, before: before[name], value: after[name] }));
}

function partsOf({ taxes, shipping = {} }: RecordedTerms) {
  return {
    taxes_included: taxes?.included ?? true,
    country: taxes?.country ?? null,
    reverse_charge: taxes?.reverse_charge ?? false,
    tax_rates: taxes?.rates ?? [],
    shipping: Object.entries(shipping).map(([currency, price]) => `${price} ${currency}`),
  };
}

export function isRecordedRate(value: object): value is RecordedRate {
  return 'country' in value && 'category' in value && 'rate' in value && 'name' in value;
}
