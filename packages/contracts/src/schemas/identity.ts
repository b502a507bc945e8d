import { type Static, Type } from 'typebox';

/** A client that is not known is refused with a message for its field, not as unreadable. */
export const IdTokenBody = Type.Object({
  client_id: Type.String({
    maxLength: 255,
    description: 'The application that is to learn who is signed in',
  }),
  nonce: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Any text, which the id_token repeats: it ties the token to the request',
  }),
});
export type IdTokenBody = Static<typeof IdTokenBody>;

export const IdTokenAnswer = Type.Object({
  id_token: Type.String({ description: 'A JWT, signed with RS512' }),
  expires_in: Type.Integer({ description: 'For how long it is good, in seconds' }),
});
export type IdTokenAnswer = Static<typeof IdTokenAnswer>;
