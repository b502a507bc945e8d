import { Type } from 'typebox';

// One type list instead of a union of schemas: agents read these schemas, and a shorter one is read better.

/** A number, or null while it is unknown. */
export const numberOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });

/** A text, or null while it is unknown. */
export const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

/** One of a few words, or null while it is unknown. */
export const enumOrNull = <Word extends string>(values: readonly Word[], description: string) =>
  Type.Unsafe<Word | null>({ enum: [...values, null], description });

/** One of a few words. */
export const enumOf = <Word extends string>(values: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...values], description });

/** A measurement, the text of a state or a flag; null while it is unknown. */
export const metricValue = (description: string) =>
  Type.Unsafe<number | string | boolean | null>({
    type: ['number', 'string', 'boolean', 'null'],
    description,
  });

/** A schema, or null where there is no such thing. */
export const objectOrNull = <T extends Parameters<typeof Type.Union>[0][number]>(
  schema: T,
  description: string,
) => Type.Union([schema, Type.Null()], { description });
