import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { ModelFrame } from './model-reader.ts';

/** A quantity and how it is found in a frame: null is unknown, undefined was not read. */
export interface Measurement {
  readonly quantity: Quantity;
  readonly read: (frame: ModelFrame) => MetricValue | undefined;
}
