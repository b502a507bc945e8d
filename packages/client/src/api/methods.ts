import type { Operation, OtherContent } from '@heliograph/contracts';
import type { Static, TSchema } from 'typebox';
import type { CallOptions, OnceOptions } from '../http/call-options.ts';

type Given<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

/** Fields that may be left out may also be undefined. */
type Loose<Fields> = Fields extends unknown
  ? {
      readonly [Name in keyof Fields as object extends Pick<Fields, Name> ? never : Name]: Given<
        Fields[Name]
      >;
    } & {
      readonly [Name in keyof Fields as object extends Pick<Fields, Name> ? Name : never]?:
        | Given<Fields[Name]>
        | undefined;
    }
  : never;

type FieldsOf<Op, Part extends 'params' | 'query' | 'body'> = Op extends {
  readonly [Key in Part]: infer Schema;
}
  ? Schema extends OtherContent
    ? { file: Blob }
    : Schema extends TSchema
      ? Static<Schema>
      : never
  : unknown;

/** The fields of an operation's path, query and body, in one object. */
export type MethodInput<Op> = Loose<FieldsOf<Op, 'params'>> &
  Loose<FieldsOf<Op, 'query'>> &
  Loose<FieldsOf<Op, 'body'>>;

/** The fields of an operation's query and body. */
export type MethodFields<Op> = Loose<FieldsOf<Op, 'query'>> & Loose<FieldsOf<Op, 'body'>>;

type AnswerValue<Schema> = Schema extends OtherContent
  ? 'text/html' extends keyof Schema['content']
    ? string
    : Blob
  : Schema extends TSchema
    ? Static<Schema> extends null
      ? undefined
      : Static<Schema>
    : never;

/** A redirect leads to the image that it is about. */
export type MethodAnswer<Op extends Operation> = Op['answers'] extends { readonly 302: unknown }
  ? Blob
  : { [Status in keyof Op['answers']]: AnswerValue<Op['answers'][Status]> }[keyof Op['answers']];

type OptionsOf<Op extends Operation> = Op extends { readonly takesIdempotencyKey: true }
  ? OnceOptions
  : CallOptions;

/** The method that calls an operation: `input` may be left out where no field is required. */
export type Method<Op extends Operation> = [keyof MethodInput<Op>] extends [never]
  ? (input?: Readonly<Record<string, never>>, options?: OptionsOf<Op>) => Promise<MethodAnswer<Op>>
  : object extends MethodInput<Op>
    ? (input?: MethodInput<Op>, options?: OptionsOf<Op>) => Promise<MethodAnswer<Op>>
    : (input: MethodInput<Op>, options?: OptionsOf<Op>) => Promise<MethodAnswer<Op>>;

/** A method for each operation, named by its `operationId`. */
export type Methods<Operations extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Operations]: Method<Operations[Id]>;
};
