import { defineMetric, type MetricDefinition, type MetricValue, quantities } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { EMPTY_SNAPSHOT, type Sample } from '../poll/snapshot.ts';
import { distinctSamples } from './distinct-samples.ts';

const linkQuality = { ...quantities.percentage('Link quality'), group: 'Info' } as const;
const LINKS = [defineMetric('inverters', 0, linkQuality), defineMetric('batteries', 0, linkQuality)];
const [INVERTER_LINK, BATTERY_LINK] = ['inverter_1/link_quality', 'battery_1/link_quality'];
const GATEWAY = new Map([
  ['inverter_1', 'gateway'],
  ['battery_1', 'gateway'],
]);

interface Given {
  readonly silent?: readonly string[];
  readonly open?: readonly string[];
  readonly connections?: ReadonlyMap<string, string>;
  readonly values?: readonly MetricValue[];
}

/** @returns topics and values that stay */
function distinct(
  definitions: readonly MetricDefinition[],
  { silent = [], open = [], connections = GATEWAY, values = [] }: Given = {},
): readonly (readonly [string, MetricValue])[] {
  const samples = definitions.map((definition, i): Sample => {
    const value = values[i] === undefined ? 50 : values[i];
    return { definition, value, readAt: 1, stale: false };
  });
  const context = { silent: new Set(silent), open: new Set(open) };
  const kept = distinctSamples(samples, { ...EMPTY_SNAPSHOT, connections }, context);
  return kept.map(({ definition: { topic }, value }) => [topic, value]);
}

describe('links of units behind one connection', () => {
  it.each<[string, Given, readonly (readonly [string, MetricValue])[]]>([
    ['the first one stands for both', {}, [[INVERTER_LINK, 50]]],
    ['one with an open alert stands for both', { open: [BATTERY_LINK] }, [[BATTERY_LINK, 50]]],
    [
      'both stay while both have an open alert',
      { open: [INVERTER_LINK, BATTERY_LINK] },
      [
        [INVERTER_LINK, 50],
        [BATTERY_LINK, 50],
      ],
    ],
    [
      'that of a silent unit is unknown, and another one stands for both',
      { silent: ['inverter_1'] },
      [
        [INVERTER_LINK, null],
        [BATTERY_LINK, 50],
      ],
    ],
    [
      'that of a silent unit is unknown with an open alert, too',
      { silent: ['inverter_1'], open: [INVERTER_LINK] },
      [[INVERTER_LINK, null]],
    ],
    [
      'units behind other connections have links of their own',
      { connections: new Map([['inverter_1', 'gateway']]) },
      [
        [INVERTER_LINK, 50],
        [BATTERY_LINK, 50],
      ],
    ],
  ])('a link counts once: %s', (_which, given, expected) => {
    expect(distinct(LINKS, given)).toEqual(expected);
  });

  it('a value that is not of a link stays for each unit, also of a silent one', () => {
    const temperatures = [0, 1].map((number) =>
      defineMetric('inverters', number, quantities.temperature('Temperature')),
    );
    const connections = new Map([
      ['inverter_1', 'gateway'],
      ['inverter_2', 'gateway'],
    ]);
    expect(distinct(temperatures, { connections, silent: ['inverter_2'] })).toEqual([
      ['inverter_1/temperature', 50],
      ['inverter_2/temperature', 50],
    ]);
  });
});

describe('values of a battery', () => {
  const OF_INVERTER = defineMetric('inverters', 0, quantities.stateOfCharge('Battery state of charge'));
  const OF_TOTALS = defineMetric('totals', null, quantities.stateOfCharge('Battery state of charge'));
  const OF_BATTERY = defineMetric('batteries', 0, quantities.stateOfCharge('State of charge'));
  const TEMPERATURE = defineMetric('batteries', 0, quantities.temperature('Temperature'));

  it.each<[string, readonly MetricDefinition[], Given, readonly string[]]>([
    ['goes where the battery reports it', [OF_INVERTER, OF_BATTERY], {}, [OF_BATTERY.topic]],
    ['stays where the battery does not', [OF_INVERTER], {}, [OF_INVERTER.topic]],
    [
      'stays where the battery does not know it',
      [OF_INVERTER, OF_BATTERY],
      { values: [50, null] },
      [OF_INVERTER.topic, OF_BATTERY.topic],
    ],
    [
      'stays where the battery reports another value',
      [OF_INVERTER, TEMPERATURE],
      {},
      [OF_INVERTER.topic, TEMPERATURE.topic],
    ],
    [
      'stays while it has an open alert',
      [OF_INVERTER, OF_BATTERY],
      { open: [OF_INVERTER.topic] },
      [OF_INVERTER.topic, OF_BATTERY.topic],
    ],
    ['stays in the totals', [OF_TOTALS, OF_BATTERY], {}, [OF_TOTALS.topic, OF_BATTERY.topic]],
  ])('a value of an inverter about its battery %s', (_what, definitions, given, topics) => {
    expect(distinct(definitions, given).map(([topic]) => topic)).toEqual(topics);
  });
});
