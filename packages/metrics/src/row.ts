import { type MetricDefinition, type MetricValue, type Platform, platformOf } from './metric.ts';
import type { Device } from './topic.ts';

/** How a client shows or controls a metric; null where a field does not apply. */
export interface DiscoveryFields {
  readonly platform: Platform;
  readonly device_class: string | null;
  readonly state_class: string | null;
  readonly unit_of_measurement: string | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  readonly options: readonly string[] | null;
  readonly payload_on: string | null;
  readonly payload_off: string | null;
}

/** A metric as it leaves the device, without its value. */
export interface DefinitionRow {
  readonly topic: string;
  readonly device: Device;
  readonly number: number | null;
  readonly group: string;
  readonly name: string;
  readonly unit: string;
}

/** A metric as a REST read returns it. `updated_at` is ISO 8601, null before the first reading; `stale`: the last is too old. */
export interface MetricRow extends DefinitionRow {
  readonly value: MetricValue;
  readonly updated_at: string | null;
  readonly stale: boolean;
  /** The reading of `updated_at`, while it is stale; else left out. */
  readonly last_value?: MetricValue;
}

export function definitionRow(definition: MetricDefinition): DefinitionRow {
  const { topic, device, number, group, name, unit } = definition;
  return { topic, device, number, group, name, unit };
}

export function discoveryFields(definition: MetricDefinition): DiscoveryFields {
  const { setting, unit } = definition;
  const number = setting?.kind === 'number' ? setting : null;
  const toggle = setting?.kind === 'switch' ? setting : null;
  return {
    platform: platformOf(definition),
    device_class: definition.deviceClass ?? null,
    state_class: definition.stateClass ?? null,
    unit_of_measurement: unit === '' || unit === 'Enabled' || unit === 'hhmm' ? null : unit,
    min: number?.min ?? null,
    max: number?.max ?? null,
    step: number?.step ?? null,
    options: setting?.kind === 'select' ? setting.options : null,
    payload_on: toggle?.on ?? null,
    payload_off: toggle?.off ?? null,
  };
}
