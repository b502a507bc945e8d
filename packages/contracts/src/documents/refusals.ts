import { type TSchema, Type } from 'typebox';
import type { Operation, OtherContent, Refusal } from '../operations/operation.ts';
import { UnconfirmedAnswer } from '../schemas/accounts.ts';
import { ErrorBody, NestedErrorBody, ValidationErrorBody } from '../schemas/common.ts';
import { OwnPageRefusal } from '../schemas/device-session.ts';
import { McpResult, OAuthErrorBody } from '../schemas/protocols.ts';
import { SecondFactorAnswer, SignInAgainAnswer } from '../schemas/second-factor.ts';
import { WriteRefusal } from '../schemas/setting-writes.ts';

const UnfinishedSignIn = Type.Union([UnconfirmedAnswer, SecondFactorAnswer]);
const FreshSessionRefusal = Type.Union([SignInAgainAnswer, ErrorBody]);
const InputRefusal = Type.Union([ValidationErrorBody, ErrorBody]);
const NestedInputRefusal = Type.Union([ValidationErrorBody, NestedErrorBody]);

/** Schemas of refusals by their name. `Error` alone is a type of most languages, or part of their runtimes. */
export const REFUSAL_SCHEMAS = {
  ErrorBody,
  NestedErrorBody,
  ValidationErrorBody,
  OwnPageRefusal,
  UnfinishedSignIn,
  FreshSessionRefusal,
  InputRefusal,
  NestedInputRefusal,
  OAuthErrorBody,
  WriteRefusal,
};

const PAGE = { 'text/html': { schema: Type.String() } };
/** A request that no page could be about. */
const UNREADABLE = { 'application/json': { schema: ErrorBody } };

/** The body of an operation's refusal. */
export function refusalContent(status: Refusal, operation: Operation): TSchema | OtherContent {
  const { errorShape } = operation;
  if (errorShape === 'page') return { content: status === 400 ? { ...PAGE, ...UNREADABLE } : PAGE };
  if (errorShape === 'json_rpc' && (status === 400 || status === 415)) return McpResult;
  return errorShape === 'oauth' ? OAuthErrorBody : refusalSchema(status, operation);
}

function refusalSchema(status: Refusal, { requires, errorShape }: Operation): TSchema {
  const isNested = errorShape === 'nested';
  if (status === 412) return UnfinishedSignIn;
  if (status === 403 && (requires === 'fresh_session' || requires === 'enrolment'))
    return FreshSessionRefusal;
  if (status === 403 && (requires === 'own_page' || requires === 'first_run')) return OwnPageRefusal;
  if (errorShape === 'write' && (status === 422 || status === 503)) return WriteRefusal;
  if (status === 422) return isNested ? NestedInputRefusal : InputRefusal;
  return isNested ? NestedErrorBody : ErrorBody;
}
