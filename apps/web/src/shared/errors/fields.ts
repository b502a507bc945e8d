import { ApiError } from '@heliograph/client';
import type { FieldErrors } from './error-message.ts';

/**
 * The messages of a refused form (`{errors: {field: [words]}}`), one text a field. Nested fields have dots in their
 * names: `user.email`, `connections.0.bus`.
 *
 * @returns nothing in it when the error is of another kind
 */
export function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof ApiError) || error.status !== 422) return {};
  const { errors } = error.body;
  return isRecord(errors) ? Object.fromEntries(messages(errors, '')) : {};
}

function messages(errors: Readonly<Record<string, unknown>>, prefix: string): [string, string][] {
  return Object.entries(errors).flatMap(([field, value]): [string, string][] => {
    const name = `${prefix}${field}`;
    if (Array.isArray(value)) return [[name, value.join('; ')]];
    if (typeof value === 'string') return [[name, value]];
    return isRecord(value) ? messages(value, `${name}.`) : [];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
