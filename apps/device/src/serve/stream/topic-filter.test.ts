import { describe, expect, it } from 'vitest';
import { InvalidTopics, topicsOf } from './topic-filter.ts';

describe('the shortest time between two updates of a topic', () => {
  it.each([
    ['a topic that is not asked for', [{ topic: 'total/*' }], 'battery_1/voltage', undefined],
    ['no limit given', [{ topic: 'total/*' }], 'total/pv_power', 0],
    ['a limit', [{ topic: 'total/*', max_frequency_s: 10 }], 'total/pv_power', 10_000],
    ['part of a second', [{ topic: '*', max_frequency_s: 0.5 }], 'total/pv_power', 500],
    ['a limit of zero seconds', [{ topic: '*', max_frequency_s: 0 }], 'total/pv_power', 0],
    ['a negative limit', [{ topic: '*', max_frequency_s: -5 }], 'total/pv_power', 0],
    ['a limit that is no number', [{ topic: '*', max_frequency_s: '10' }], 'total/pv_power', 0],
    [
      'two globs that match',
      [
        { topic: '*', max_frequency_s: 60 },
        { topic: 'total/*', max_frequency_s: 5 },
      ],
      'total/x',
      5_000,
    ],
    ['a bare glob', ['total/*'], 'total/pv_power', 0],
    ['no topics at all', [], 'total/pv_power', undefined],
  ])('%s', (_what, topics, topic, intervalMs) => {
    expect(topicsOf({ topics })?.intervalMs(topic)).toBe(intervalMs);
  });
});

it('a payload without topics names no filter', () => {
  expect(topicsOf({})).toBeUndefined();
  expect(topicsOf({ topics: null })).toBeUndefined();
});

it.each([[{}], ['total/*'], [[{ topic: 5 }]], [[{ topic: 'x'.repeat(257) }]], [[null]]])(
  '%j is no list of topics',
  (topics) => {
    expect(() => topicsOf({ topics })).toThrow(InvalidTopics);
  },
);
