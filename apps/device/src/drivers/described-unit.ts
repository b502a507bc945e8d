import type { Quantity } from '@heliograph/metrics';

/**
 * A unit that there can be, with everything that it can have. The tables of a family's `README.md` are made of
 * these: `npm run drivers:pages` writes them, and the checks hold them to the map.
 */
export interface DescribedUnit {
  /** Such as `Inverter` or `Battery module`. */
  readonly title: string;
  readonly rows: readonly DescribedQuantity[];
}

export interface DescribedQuantity {
  readonly quantity: Quantity;
  /** Where it stands: registers, field of a command, tag. */
  readonly from: string;
  /** What has to be known besides, such as which models have it. */
  readonly remark?: string;
}
