import { type Static, type TProperties, Type } from 'typebox';

/** An object whose fields are exactly the listed ones. */
export function closed<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

export const ErrorBody = Type.Object({ error: Type.String() });
export type ErrorBody = Static<typeof ErrorBody>;

export const ValidationErrorBody = Type.Object({
  errors: Type.Record(Type.String(), Type.Array(Type.String())),
});
export type ValidationErrorBody = Static<typeof ValidationErrorBody>;

/** An ISO 8601 date-time. */
export const DateTime = Type.String({ format: 'date-time' });

/** Record ids are 32-bit positive integers; a larger one names nothing. */
export const MAX_ID = 2_147_483_647;

export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);
