import type { AnswerFields } from './fields.ts';

/** A command that only reads, and the form of its answer. */
export interface Query {
  readonly command: string;
  /** The fields of its answer; undefined for a text that cannot be the answer to this query. */
  readonly parse: (text: string) => AnswerFields | undefined;
}

/** A query whose answer is one word. */
export function wordQuery(command: string, word: RegExp): Query {
  return { command, parse: (text) => (word.test(text) ? [text] : undefined) };
}

/**
 * A query whose answer is fields between single spaces. Models have more or fewer of them at the end, so
 * `atLeast` must be there; an empty field would shift the ones behind it, and makes the answer none.
 *
 * @param matches looks at fields that only this answer has in these places
 */
export function spacedQuery(
  command: string,
  atLeast: number,
  matches: (fields: AnswerFields) => boolean,
): Query {
  return {
    command,
    parse: (text) => {
      const fields = text.trimEnd().split(' ');
      const whole = fields.length >= atLeast && !fields.includes('');
      return whole && matches(fields) ? fields : undefined;
    },
  };
}

/**
 * A query whose answer is fields between commas. Models have more or fewer of them at the end, so `atLeast` must be
 * there; an empty field is one that this model does not measure.
 *
 * @param matches looks at fields that only this answer has in these places
 */
export function commaQuery(
  command: string,
  atLeast: number,
  matches: (fields: AnswerFields) => boolean,
): Query {
  return {
    command,
    parse: (text) => {
      const fields = text.split(',');
      return fields.length >= atLeast && matches(fields) ? fields : undefined;
    },
  };
}

const BITS = /^[01]{8}$/;
const NUMERIC = /^[-\d.]+$/;

export const isBits = (text: string | undefined): boolean => BITS.test(text ?? '');
export const areNumeric = (fields: AnswerFields): boolean => fields.every((field) => NUMERIC.test(field));
