import { describe, expect, it } from 'vitest';
import { DEFAULT_TOPICS, MAX_TOPICS, searchOf, selectionOf } from './history-selection.ts';

describe('the selection in the address', () => {
  it.each([
    { topics: ['inverter_1/pv_voltage', 'battery_1/temperature'], range: 'week' },
    { topics: [], range: 'year' },
  ] as const)('the address of $topics over $range leads to the same curves again', (shown) => {
    expect(selectionOf(searchOf(shown))).toEqual(shown);
  });

  it('an empty address selects the default topics and today', () => {
    expect(selectionOf('')).toEqual({ topics: DEFAULT_TOPICS, range: 'today' });
  });

  it('too many topics, doubled ones and unknown ranges are ignored', () => {
    const many = Array.from({ length: 30 }, (_, at) => `topic=t/${at}`).join('&');
    expect(selectionOf(`${many}&range=decade`)).toMatchObject({ range: 'today' });
    expect(selectionOf(many).topics).toHaveLength(MAX_TOPICS);
    expect(selectionOf('topic=a/b&topic=a/b').topics).toEqual(['a/b']);
  });
});
