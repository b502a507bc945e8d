import { BLANK } from '@heliograph/contracts';
import { BadRequest, truncate, ValidationError } from '@heliograph/kit';
import type { preHandlerAsyncHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import { complaintAboutFirst } from './complaint.ts';
import { describe, validatorOf } from './validator.ts';
import { MAX_FIELDS, segmentsOf, textFaults, type Violation, valueAt, violationsOf } from './violations.ts';

/** Errors by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Errors by rules that no schema has. @param fields of a body, those that its schema allows */
export type FieldRules = (fields: Readonly<Record<string, unknown>>) => FieldErrors | Promise<FieldErrors>;

/**
 * Options of a route that answers 422 with an error for each field whose value is not allowed. A body that cannot be read,
 * lacks a field, has one of another type or one that is not known is 400; a form answers 422 with these errors, too.
 */
export function asFields(
  schema: TSchema,
  {
    isForm,
    fieldErrors: errorsByRules,
  }: { readonly isForm: boolean; readonly fieldErrors?: FieldRules | undefined },
): {
  readonly attachValidation: true;
  readonly preHandler: preHandlerAsyncHookHandler;
} {
  return {
    attachValidation: true,
    preHandler: async ({ body, validationError }) => {
      if (validationError === undefined) return;
      if (validationError.validationContext !== 'body' || !isRecord(body)) throw validationError;
      const violations = violationsOf(validatorOf(schema), body);
      if (violations.length === 0) throw validationError;
      const ofShape = isForm ? [] : violations.filter((one) => !isOfValue(one, violations, body));
      if (ofShape.length > 0) throw new BadRequest(describe(ofShape, 'body', body));
      const refused = fieldErrors(body, violations);
      const accepted = Object.entries(body).filter(([name]) => !Object.hasOwn(refused, name));
      throw new ValidationError({ ...(await errorsByRules?.(Object.fromEntries(accepted))), ...refused });
    },
  };
}

/** Keywords by which a body has not the shape that is expected, whatever the values in it. */
const SHAPE = new Set(['required', 'type', 'additionalProperties', 'boolean']);
/** Keywords that only report that no schema among alternatives fits, or not all. */
const COMBINED = new Set(['anyOf', 'oneOf', 'allOf']);

/** Whether the value of a field is not allowed, while the shape of the body is; of alternatives one such is enough. */
function isOfValue({ instancePath }: Violation, violations: readonly Violation[], body: unknown): boolean {
  if (instancePath === '') return false;
  return violations.some((one) => isWithin(one, instancePath) && hasItsType(one, violations, body));
}

function isWithin({ instancePath }: Violation, place: string): boolean {
  return instancePath === place || instancePath.startsWith(`${place}/`);
}

/** Whether a violation is of a schema whose type the value has. */
function hasItsType(
  { keyword, schemaPath, instancePath, params }: Violation,
  violations: readonly Violation[],
  body: unknown,
): boolean {
  if (SHAPE.has(keyword) || COMBINED.has(keyword)) return false;
  if (keyword === 'enum' && 'allowedValues' in params) {
    const given = valueAt(body, instancePath);
    return (params.allowedValues as unknown[]).some((allowed) => typeof allowed === typeof given);
  }
  return !violations.some(
    (one) => one.keyword === 'type' && one.schemaPath === schemaPath && one.instancePath === instancePath,
  );
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
