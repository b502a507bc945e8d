import { textFault } from '@heliograph/contracts';
import { truncate } from '@heliograph/kit';
import type { Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';

/** Violations of one value that are looked at; TypeBox itself stops at eight. */
const MAX_VIOLATIONS = 1_000;
Settings.Set({ maxErrors: MAX_VIOLATIONS });

/** Everything by which a value breaks a schema, up to a thousand violations. */
export function violationsOf(validator: Validator, value: unknown): readonly TLocalizedValidationError[] {
  return validator.Errors(value);
}

/** A violation of a schema, as TypeBox reports it. */
export interface Violation {
  readonly keyword: string;
  readonly instancePath: string;
  /** The schema whose rule is broken, such as `#/properties/role/anyOf/1`. */
  readonly schemaPath: string;
  readonly message: string;
  readonly params: object;
}

/** Fields that one refusal names at most. */
export const MAX_FIELDS = 100;

/** Errors of fields that are blank or have invisible characters, by field. @param given the body, or the parameters */
export function textFaults(violations: readonly Violation[], given: unknown): Record<string, string[]> {
  const faults = violations.flatMap(({ keyword, params, instancePath }) => {
    if (keyword !== 'pattern' || !('pattern' in params)) return [];
    const fault = textFault(params.pattern, valueAt(given, instancePath));
    return fault === undefined ? [] : [[fieldAt(instancePath), [fault]] as const];
  });
  return Object.fromEntries(faults.slice(0, MAX_FIELDS).map(([field, messages]) => [field, [...messages]]));
}

/** The value at the path of a violation, such as `/redirect_uris/0`. */
export function valueAt(given: unknown, path: string): unknown {
  return segmentsOf(path).reduce<unknown>(
    (value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name],
    given,
  );
}

/** A field as refusals name it, such as `items.0.sku`. @param path of its value */
export function fieldAt(path: string): string {
  return truncate(segmentsOf(path).join('.'));
}

/** The names on the way to a place: its path is a JSON pointer (RFC 6901). */
export function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
