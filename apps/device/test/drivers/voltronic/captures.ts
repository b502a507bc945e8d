import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineMetric, type MetricValue } from '@heliograph/metrics';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ByteFamily } from '../../../src/drivers/driver.ts';
import { BadRecording, type Recording } from '../../../src/drivers/recording.ts';

export interface Capture extends Recording {
  readonly id: string;
  readonly expected_topics?: Readonly<Record<string, MetricValue>>;
}

/** The recordings of a family, whose folder this is; `cases` are exchanges, as they are where a user's are decoded. */
export function capturesIn(folder: string): readonly Capture[] {
  return readdirSync(join(folder, 'captures')).map((file) => {
    const { cases, ...capture }: Capture & { readonly cases?: Recording['exchanges'] } = JSON.parse(
      readFileSync(join(folder, 'captures', file), 'utf8'),
    );
    return cases === undefined ? capture : { ...capture, exchanges: cases };
  });
}

export function topicsOf(
  decode: ByteFamily['decode'],
  recording: Recording,
): Readonly<Record<string, MetricValue>> {
  return Object.fromEntries(
    decode(recording).flatMap(({ kind, quantities, reading }, index) =>
      quantities.map((quantity) => [
        defineMetric(kind, index, quantity).topic,
        reading.get(quantity.name) ?? null,
      ]),
    ),
  );
}

/** A recorded frame of which a few neighbouring bits are others, or from which a part was cut, is never decoded. */
export function expectDamageRejected(decode: ByteFamily['decode'], captures: readonly Capture[]): void {
  const frames = captures.flatMap(({ protocol, request = {}, response }) =>
    response?.hex === undefined ? [] : [{ protocol, request, bytes: Buffer.from(response.hex, 'hex') }],
  );
  const damaged = fc
    .tuple(fc.constantFrom(...frames), fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean())
    .map(([{ bytes, ...frame }, place, change, cut]) => {
      const at = place % bytes.length;
      const head = bytes.subarray(0, at);
      const rest = cut
        ? Buffer.alloc(0)
        : Buffer.from([(bytes[at] ?? 0) ^ change, ...bytes.subarray(at + 1)]);
      return { ...frame, response: { hex: Buffer.concat([head, rest]).toString('hex') } };
    });
  fc.assert(
    fc.property(damaged, (recording) => {
      expect(() => decode(recording)).toThrow(BadRecording);
    }),
    { numRuns: 500 },
  );
}
