import { Type } from 'typebox';

// One type list instead of a union of schemas: agents read these schemas, and a shorter one is read better.

/** A number, or null while it is unknown. */
export const numberOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });

/** A text, or null while it is unknown. */
export const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

/** One of a few words, in the input of a tool. */
export const enumOf = <Word extends string>(values: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...values], description });

// Clients validate answers against their schema, and the cloud passes on those of devices that are newer than itself.

/** One of a few words in an answer, to which a later release may add. */
export const openEnumOf = <Word extends string>(values: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', description: openDescription(values, description) });

/** One of a few words in an answer, to which a later release may add; null while it is unknown. */
export const openEnumOrNull = <Word extends string>(values: readonly Word[], description: string) =>
  Type.Unsafe<Word | null>({
    type: ['string', 'null'],
    description: openDescription(values, description),
  });

const openDescription = (values: readonly string[], description: string) =>
  `${values.join(', ')}, …: ${description}`;

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
