import { type Static, Type } from 'typebox';

/** Longest accepted list page; a client asking for more is served this many. */
export const MAX_LIMIT = 200;

/** Page size of a list without `limit`. */
export const DEFAULT_LIMIT = 20;

/** Which part of a list is asked for. */
export const PageQuery = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Records to skip' })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: DEFAULT_LIMIT,
      description: `Most records to answer; more than ${MAX_LIMIT} is taken as ${MAX_LIMIT}`,
    }),
  ),
});
export type PageQuery = Static<typeof PageQuery>;

export const ListQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({ maxLength: 1000, description: 'Words to search for, and filters written key:value' }),
  ),
});
export type ListQuery = Static<typeof ListQuery>;
