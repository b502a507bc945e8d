import { isPlainTextPattern, UNSEEN_CHARACTERS } from '@heliograph/contracts';

/** A violation of a schema, as TypeBox reports it. */
export interface Violation {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

/** Errors of the body's fields with invisible characters, by field. */
export function unseenCharacters(violations: readonly Violation[]): Record<string, string[]> {
  const fields = violations
    .filter(
      ({ keyword, params }) =>
        keyword === 'pattern' && 'pattern' in params && isPlainTextPattern(params.pattern),
    )
    .map(({ instancePath }) => [instancePath.slice(1), [UNSEEN_CHARACTERS]]);
  return Object.fromEntries(fields);
}

/** The value at the path of a violation, such as `/redirect_uris/0`. */
export function valueAt(given: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name],
      given,
    );
}
