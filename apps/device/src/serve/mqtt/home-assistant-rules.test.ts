import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineMetric, type MetricDefinition } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { homeAssistantWith } from '../../../test/serve/mqtt/home-assistant-with.ts';
import { readRecording } from '../../admin/cli/recording-file.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { BadRecording } from '../../drivers/recording.ts';

/** Units that Home Assistant 2026.11 takes of its classes, of those that drivers use; it logs an error of others. */
const UNITS_OF_CLASSES: Readonly<Record<string, readonly (string | undefined)[]>> = {
  apparent_power: ['VA'],
  battery: ['%'],
  current: ['A'],
  data_size: ['MB'],
  energy: ['kWh', 'Wh'],
  frequency: ['Hz'],
  power: ['W'],
  reactive_power: ['var'],
  temperature: ['°C'],
  voltage: ['V'],
  duration: ['s'],
  power_factor: [undefined, '%'],
};

interface Announced {
  readonly device_class?: string;
  readonly state_class?: string;
  readonly unit_of_measurement?: string;
  readonly suggested_display_precision?: number;
}

const families = [...(await loadFamilies()).values()];

function announced(definition: MetricDefinition, isWritable = true): Announced {
  const homeAssistant = homeAssistantWith({ isWritable: () => isWritable });
  const [text = '{}'] = homeAssistant.messages([definition], []).values();
  return JSON.parse(text);
}

/** Whether Home Assistant then refuses a text as the value. */
const isNumeric = (entity: Announced): boolean =>
  (['device_class', 'state_class', 'unit_of_measurement', 'suggested_display_precision'] as const).some(
    (key) => entity[key] !== undefined,
  );

describe.each(families.map((family) => [family.name, family] as const))('the driver %s', (name, family) => {
  const files = globSync(join(import.meta.dirname, '../../drivers', name, 'captures', '*.json'));
  const rows = family.describedUnits.flatMap((unit) => unit.rows);

  it('the driver describes units', () => {
    expect(rows.length).toBeGreaterThan(0);
  });

  it('an entity has a class that Home Assistant knows, with a unit and a state class of it', () => {
    for (const { quantity } of rows)
      for (const isWritable of [true, false]) {
        const entity = announced(defineMetric('inverters', 0, quantity), isWritable);
        const { device_class: deviceClass, state_class: stateClass, unit_of_measurement: unit } = entity;
        if (deviceClass !== undefined) expect(UNITS_OF_CLASSES[deviceClass], quantity.name).toContain(unit);
        if (deviceClass === 'energy') expect([undefined, 'total', 'total_increasing']).toContain(stateClass);
      }
  });

  it.runIf(files.length > 0)('an entity is not a number where a recording has a text', async () => {
    const texts: [MetricDefinition, string][] = [];
    let values = 0;
    for (const file of files) {
      try {
        const recording = await readRecording(file, async () => '');
        for (const { kind, quantities, reading } of family.decode({ protocol: name, ...recording }))
          for (const quantity of quantities) {
            const value = reading.get(quantity.name);
            values += value === undefined ? 0 : 1;
            if (typeof value === 'string') texts.push([defineMetric(kind, 0, quantity), value]);
          }
      } catch (error) {
        if (!(error instanceof BadRecording)) throw new Error(basename(file), { cause: error });
      }
    }
    expect(values).toBeGreaterThan(0);
    for (const [definition, value] of texts)
      for (const isWritable of [true, false])
        if (definition.setting === undefined || !isWritable)
          expect(isNumeric(announced(definition, isWritable)), `${definition.topic}: ${value}`).toBe(false);
  });
});

it('drivers have recordings', () => {
  expect(globSync(join(import.meta.dirname, '../../drivers/*/captures/*.json')).length).toBeGreaterThan(50);
});
