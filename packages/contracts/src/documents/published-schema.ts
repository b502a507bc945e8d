import { EMAIL_PATTERN, PORTABLE_EMAIL_PATTERN } from '../schemas/common.ts';
import { PORTABLE_PATTERNS } from '../schemas/plain-text.ts';

type Keywords = Readonly<Record<string, unknown>>;

/**
 * The keywords of a schema as documents have them. Generators read an integer without a format as one of 32 bits, and a
 * number as one of single precision: counters overflow then, and prices are rounded. They need the type of an enum, too, and patterns that every engine
 * reads.
 */
export function published(keywords: Keywords): Keywords {
  const { type, format, pattern } = keywords;
  const choices = 'const' in keywords ? [keywords.const] : keywords.enum;
  const portable = pattern === EMAIL_PATTERN ? PORTABLE_EMAIL_PATTERN : PORTABLE_PATTERNS.get(pattern);
  return {
    ...keywords,
    ...(type === 'integer' && format === undefined && { format: 'int64' }),
    ...(type === 'number' && format === undefined && { format: 'double' }),
    ...(type === undefined && Array.isArray(choices) && typeOf(choices)),
    ...(portable !== undefined && { pattern: portable }),
  };
}

function typeOf(choices: readonly unknown[]): Keywords {
  return choices.every((choice) => typeof choice === 'string') ? { type: 'string' } : {};
}
