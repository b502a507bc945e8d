import type { Quantity } from '@heliograph/metrics';

/**
 * A kind of unit with every quantity that it can have. The tables of a family's `README.md` are made of
 * these: `npm run drivers:pages` writes them, and the checks hold them to the map.
 */
export interface DescribedUnit {
  /** Such as `Inverter` or `Battery module`. */
  readonly title: string;
  readonly rows: readonly DescribedQuantity[];
}

export interface DescribedQuantity {
  readonly quantity: Quantity;
  /** The source: registers, a field of a command, a tag. */
  readonly from: string;
  /** A condition or limitation, such as the models that have it. */
  readonly remark?: string;
}
