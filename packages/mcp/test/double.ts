import { Type } from 'typebox';
import type { Tool } from '../src/tools/tool.ts';

/** The context of a test's caller: the names of the tools that it may use. */
export type Allowed = readonly string[];

/** A tool with arguments of many kinds. */
export const double: Tool<Allowed> = {
  name: 'double',
  title: 'Double',
  description: 'Twice a number',
  input: Type.Object(
    {
      number: Type.Integer({ minimum: 0, maximum: 100 }),
      unit: Type.Optional(Type.Enum(['W', 'kWh'])),
      notes: Type.Optional(Type.Array(Type.String({ maxLength: 3 }), { maxItems: 2 })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ doubled: Type.Number(), unit: Type.String() }),
  isFor: (allowed) => allowed.includes('double'),
  run: async ({ number, unit = 'W' }) => ({ doubled: Number(number) * 2, unit }),
};
