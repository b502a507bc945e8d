import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../src/common/operation.ts';
import { cloudOperations } from '../src/operations/cloud.ts';
import { deviceOperations } from '../src/operations/device.ts';
import { internalOperations } from '../src/operations/internal.ts';
import { sampleOf } from './sample-of.ts';

const OPERATIONS: readonly Operation[] = [
  ...Object.values<Operation>(cloudOperations),
  ...Object.values<Operation>(internalOperations),
  ...Object.values<Operation>(deviceOperations),
];

describe.each(OPERATIONS)('the samples of $id', ({ body, answers }) => {
  const schemas = [body, ...Object.values(answers)].filter(
    (schema): schema is TSchema => schema !== undefined && !('content' in schema),
  );

  it('the samples of its body and answers satisfy their schemas', () => {
    for (const schema of schemas) {
      const [, errors] = Compile(schema).Errors(sampleOf(schema));
      expect(errors).toEqual([]);
    }
  });
});
