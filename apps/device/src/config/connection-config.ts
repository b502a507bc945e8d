import type { BusAddress } from '../bus/address.ts';

/** Where one piece of hardware is found, and in which family's words to talk to it. */
export interface ConnectionConfig {
  /** The driver family's name, such as `sunspec`. */
  readonly driver: string;
  readonly address: BusAddress;
  /** The unit (slave) id or address; the family's usual when undefined. */
  readonly unit: number | undefined;
  /** What the family wants to know besides. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The connection written in one way only, so that it can be remembered by it. */
  readonly url: string;
}
