import { defineMetric, quantities } from '@heliograph/metrics';
import { encodeFrame } from '@heliograph/wire';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CHANNEL, dataPush, push } from './encoding.ts';

it('a push of encoded JSON equals the wire codec’s text of the same payload', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('array' as const, 'object' as const),
      fc.option(fc.string()),
      fc.constantFrom('data', 'definition', 'system', 'set_result'),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (framing, joinRef, event, payload) => {
        const frame = { joinRef, ref: null, topic: CHANNEL, event, payload };
        expect(push(event, JSON.stringify(payload), framing, joinRef)).toBe(encodeFrame(frame, framing));
      },
    ),
  );
});

it('a stale value comes with what was read last and when, a fresh one alone', () => {
  const definition = defineMetric('totals', null, quantities.power('PV power'));
  const readAt = Date.parse('2026-06-21T10:31:00Z');
  const samples = [
    { definition, value: 5, readAt, stale: false },
    { definition, value: null, readAt, stale: true, lastValue: 7 },
    { definition, value: null, readAt: 0, stale: true },
  ];
  const [, , , , payload] = JSON.parse(dataPush(samples, 'array', null));
  const topic = 'total/pv_power';
  expect(payload).toEqual({
    metrics: [
      { topic, value: 5 },
      { topic, value: null, stale: true, updated_at: '2026-06-21T10:31:00.000Z', last_value: 7 },
      { topic, value: null, stale: true, updated_at: null, last_value: null },
    ],
  });
});
