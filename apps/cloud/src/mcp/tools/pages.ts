import { MAX_ID } from '@heliograph/contracts';
import { Type } from 'typebox';

/** Most rows of one answer, and how many there are when nobody says. */
export const MAX_ROWS = 50;
export const USUAL_ROWS = 20;

/** Which part of a list a tool is to answer. */
export const pageArguments = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ROWS,
      description: `Most rows of the answer; ${USUAL_ROWS} when left out`,
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

/** Where a list goes on. */
export const nextOffset = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'The offset of the next page; null: this is the last one',
});
