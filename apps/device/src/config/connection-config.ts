import type { MeterRole } from '@heliograph/metrics';
import type { BusAddress } from '../bus/address.ts';

/** One configured piece of hardware: its address, and the driver family that reads it. */
export interface ConnectionConfig {
  /** The driver family's name, such as `sunspec`. */
  readonly driver: string;
  readonly address: BusAddress;
  /** The unit (slave) id or address; the family's usual when undefined. */
  readonly unit: number | undefined;
  /** How long an answer may take, in milliseconds; the bus's or the driver's own when left out. */
  readonly answerTimeoutMs?: number;
  /** Options of the family. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The part of the home that a meter there measures for the totals; undefined: it only has topics of its own. */
  readonly role: MeterRole | undefined;
  /** Whether its meters were connected the other way round. */
  readonly reversed?: boolean;
  /** The connection written in one way only, so that it can be remembered by it. */
  readonly url: string;
}
