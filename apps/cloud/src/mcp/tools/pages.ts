import { MAX_ID } from '@heliograph/contracts';
import { Type } from 'typebox';

/** Maximum and default number of rows in one answer. */
export const MAX_ROWS = 50;
export const DEFAULT_ROWS = 20;

/** Which part of a list a tool is to answer. */
export const pageArguments = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ROWS,
      description: `Most rows of the answer; ${DEFAULT_ROWS} when left out`,
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_ID,
      description: 'Rows to skip: next_offset of the answer before; 0 when left out',
    }),
  ),
};

/** The offset of the next page. */
export const nextOffset = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'The offset of the next page; null: this is the last one',
});
