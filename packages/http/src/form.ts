import { BLANK } from '@heliograph/contracts';
import { truncate, ValidationError } from '@heliograph/kit';
import type { preHandlerAsyncHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import { complaintAboutFirst } from './complaint.ts';
import { validatorOf } from './validator.ts';
import { MAX_FIELDS, segmentsOf, textFaults, type Violation, violationsOf } from './violations.ts';

/**
 * Options of a route that validates like a form: fields that violate the schema are answered with 422 and an
 * error for each, where other routes answer 400. A body that is no JSON object stays 400.
 */
export function asForm(schema: TSchema): {
  readonly attachValidation: true;
  readonly preHandler: preHandlerAsyncHookHandler;
} {
  return {
    attachValidation: true,
    preHandler: async ({ body, validationError }) => {
      if (validationError === undefined) return;
      if (validationError.validationContext !== 'body' || !isRecord(body)) throw validationError;
      throw new ValidationError(fieldErrors(body, violationsOf(validatorOf(schema), body)));
    },
  };
}

/** The field of a violation: that of the body itself, not of a nested object. */
function fieldsOf({ keyword, instancePath, params }: Violation): string[] {
  const [field] = segmentsOf(instancePath);
  if (field !== undefined) return [field];
  return keyword === 'required' && 'requiredProperties' in params
    ? (params.requiredProperties as string[])
    : [];
}

function fieldErrors(
  body: Readonly<Record<string, unknown>>,
  violations: readonly Violation[],
): Record<string, string[]> {
  const fields = new Set(violations.flatMap(fieldsOf));
  const errors = [...fields].slice(0, MAX_FIELDS).map((field) => {
    const ofField = violations.filter(({ instancePath }) => segmentsOf(instancePath)[0] === field);
    return [truncate(field), [messageFor(body, field, ofField)]];
  });
  return { ...Object.fromEntries(errors), ...textFaults(violations, body) };
}

function messageFor(
  body: Readonly<Record<string, unknown>>,
  field: string,
  violations: readonly Violation[],
): string {
  const value = body[field];
  if (value === undefined || value === null || value === '' || violations.length === 0) return BLANK;
  if (violations.some(({ keyword }) => keyword === 'minItems') && Array.isArray(value) && value.length === 0)
    return BLANK;
  return complaintAboutFirst(violations, body);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
