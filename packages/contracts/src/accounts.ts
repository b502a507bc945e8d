import { type Static, Type } from 'typebox';
import { DateTime, nullable } from './common.ts';

export const User = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  phone_number: nullable(Type.String()),
  locale: Type.String(),
  organization: nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
});
export type User = Static<typeof User>;

export const Session = Type.Object({ token: Type.String(), expires_at: DateTime, user: User });
export type Session = Static<typeof Session>;

/** An organization's id, or `none` for a token that belongs to no organization. */
export const OrganizationChoice = Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('none')]);

export const SignInBody = Type.Object({
  email: Type.String({ maxLength: 320 }),
  organization_id: OrganizationChoice,
  password: Type.String({ maxLength: 1024 }),
});
export type SignInBody = Static<typeof SignInBody>;
