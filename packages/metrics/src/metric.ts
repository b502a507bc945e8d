import type { Device } from './topic.ts';
import { topicOf } from './topic.ts';

/** A measurement is a number, a setting or a state text, a flag a boolean; null is unknown, never 0. */
export type MetricValue = number | string | boolean | null;

export type Unit =
  | ''
  | 'W'
  | 'VA'
  | 'var'
  | 'V'
  | 'mV/K'
  | 'A'
  | 'Hz'
  | '%'
  | '°C'
  | 'kWh'
  | 'Wh'
  | 'Ah'
  | 'MB'
  | 's'
  | 'Enabled'
  | 'hhmm';

export type Group = 'Status' | 'Settings' | 'Info' | 'Ignore';

export type Platform = 'sensor' | 'number' | 'select' | 'switch';

/** A measurement or a setting, independent of a device. */
export interface Quantity {
  /** Display name, from which the topic is made. */
  readonly name: string;
  readonly group: Group;
  readonly unit: Unit;
  /** Digits kept after the decimal point; measured numbers are rounded to it. */
  readonly decimals?: number;
  /** Home Assistant's classes; texts have none. */
  readonly deviceClass?: string;
  readonly stateClass?: 'measurement' | 'total' | 'total_increasing';
  /** Present on settings alone: what may be written. */
  readonly setting?: SettingRule;
  /** Why a setting of the hardware cannot be written here, in plain words. */
  readonly readOnlyReason?: string;
}

/** The accepted values of a setting. Bounds are in the metric's unit and inclusive. */
export type SettingRule =
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly step: number }
  | {
      readonly kind: 'select';
      readonly options: readonly string[];
      /** Other texts that clients send for an option. */
      readonly synonyms?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'switch'; readonly on: string; readonly off: string };

/** One quantity of one device. */
export interface MetricDefinition extends Quantity {
  readonly topic: string;
  readonly device: Device;
  /** 0-based for units of hardware, otherwise null. */
  readonly number: number | null;
}

export function defineMetric(device: Device, number: number | null, quantity: Quantity): MetricDefinition {
  return { ...quantity, topic: topicOf(device, number, quantity.name), device, number };
}

/** How a client shows or controls the metric. */
export function platformOf(quantity: Quantity): Platform {
  return quantity.setting?.kind ?? 'sensor';
}

/** Rounds a measured number to what the quantity promises; anything else passes through. */
export function roundTo(quantity: Quantity, value: MetricValue): MetricValue {
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) return null;
  const factor = 10 ** (quantity.decimals ?? 0);
  const rounded = Math.round(value * factor) / factor;
  return rounded === 0 ? 0 : rounded;
}
