import { type Static, Type } from 'typebox';

export const ErrorBody = Type.Object({ error: Type.String() });
export type ErrorBody = Static<typeof ErrorBody>;

/** An ISO 8601 date-time. */
export const DateTime = Type.String({ format: 'date-time' });

/** Record ids are 32-bit positive integers; a larger one names nothing. */
export const MAX_ID = 2_147_483_647;

export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);
