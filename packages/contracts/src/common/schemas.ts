import { type Static, Type } from 'typebox';
import { foldAscii } from '../text/folded-text.ts';
import { PlainText, UNSEEN } from '../text/plain-text.ts';

/** A device's identifier. The case of letters and spaces around it do not matter: people copy it from labels. */
export const Uid = Type.String({
  minLength: 1,
  maxLength: 64,
  format: 'uid',
  description: 'The device identifier',
});

/** The uid that a person wrote, as keys give it. */
export function uidOf(text: string): string {
  // Letters of ASCII alone: others, such as the sign of the kelvin, would become one of them.
  return foldAscii(text.trim());
}

export const ErrorBody = Type.Object({ error: Type.String() });
export type ErrorBody = Static<typeof ErrorBody>;

/** The form of `ErrorBody` that the clients of a few operations expect. */
export const NestedErrorBody = Type.Object({ error: Type.Object({ message: Type.String() }) });

export const ValidationErrorBody = Type.Object({
  errors: Type.Record(Type.String(), Type.Array(Type.String()), {
    minProperties: 1,
    description: "By field, its violations: texts that follow the field's name",
  }),
});

/** An ISO 8601 date-time. */
export const DateTime = Type.String({ format: 'date-time' });

/** Record ids are 32-bit positive integers; a larger one names nothing. */
export const MAX_ID = 2_147_483_647;

/** The id of a record. */
export const Id = Type.Integer({ minimum: 1, maximum: MAX_ID });

export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const ADDRESS_PART = `[^\\s@,;:<>()\\[\\]"\\\\${UNSEEN}]+`;

/** One email address and nothing that a mail program would take for more: no lists, names or comments. */
export const EMAIL_PATTERN = `^\\s*${ADDRESS_PART}[@\\uff20]${ADDRESS_PART}\\s*$`;

/** The same for engines without `\\u`, as documents publish it. */
export const PORTABLE_EMAIL_PATTERN = '^\\s*[^\\s@,;:<>()]+@[^\\s@,;:<>()]+\\s*$';

/** The message about a text that breaks {@link EMAIL_PATTERN}. */
export const NO_EMAIL_ADDRESS = 'must be one email address, such as name@example.org';

/** The email address of an account that is there or is made, in any spelling that `canonicalEmail` takes for one. */
export const EmailAddress = Type.String({
  maxLength: 320,
  pattern: EMAIL_PATTERN,
  examples: ['ada@example.org'],
});

/** Longest first or last name of a person, in characters. */
export const MAX_PERSON_NAME_LENGTH = 255;

/** First or last name of a person with an account. */
export const PersonName = PlainText({ maxLength: MAX_PERSON_NAME_LENGTH });
export const PhoneNumber = PlainText({ maxLength: 50 });

/** First or last name of an invited person. */
export const InviteeName = Type.Optional(
  nullable(
    PlainText({
      maxLength: MAX_PERSON_NAME_LENGTH,
      description: 'Required when the address has no account yet',
    }),
  ),
);
