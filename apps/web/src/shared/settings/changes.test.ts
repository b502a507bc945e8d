import type { MetricDefinition, MetricValue } from '@heliograph/client';
import { expect, it } from 'vitest';
import { changesOf } from './changes.ts';

const number = (topic: string): MetricDefinition =>
  ({ topic, platform: 'number', min: 0, max: 100, step: 1, unit: '%' }) as MetricDefinition;
const SETTINGS = [number('a'), number('b'), { topic: 'c', platform: 'sensor' } as MetricDefinition];
const VALUES: Readonly<Record<string, MetricValue>> = { a: 10, b: 20 };

const found = (drafts: Readonly<Record<string, string>>) => {
  const { changes, invalid } = changesOf(
    SETTINGS,
    new Map(Object.entries(drafts)),
    (topic) => VALUES[topic] ?? null,
    ',',
  );
  return {
    changes: changes.map(({ definition, payload }) => [definition.topic, payload]),
    invalid: invalid?.topic,
  };
};

it.each([
  [
    'changes are in the order of the settings',
    { b: '30', a: '15' },
    [
      ['a', '15'],
      ['b', '30'],
    ],
    undefined,
  ],
  ['a draft of the present value is no change', { a: '10', b: '21' }, [['b', '21']], undefined],
  ['the first draft that cannot be sent is named', { a: '15', b: '101' }, [['a', '15']], 'b'],
  ['a setting that can only be read has no change', { c: '1' }, [], undefined],
] as const)('%s', (_title, drafts, changes, invalid) => {
  expect(found(drafts)).toEqual({ changes, invalid });
});
