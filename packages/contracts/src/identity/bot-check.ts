import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';

const hex = (maxLength: number) =>
  Type.String({ pattern: '^(?:[0-9a-f]{2})+$', maxLength, examples: ['00ff'] });

/** A task that costs a computer a second or two, as ALTCHA's widget reads it. */
export const BotCheckChallenge = Type.Object(
  {
    parameters: Type.Object(
      {
        algorithm: Type.String({ maxLength: 32 }),
        nonce: hex(128),
        salt: hex(128),
        cost: Type.Integer({ description: 'Rounds of each try' }),
        keyLength: Type.Integer(),
        keyPrefix: hex(128),
        keySignature: hex(128),
        data: Type.Object(
          { expires_at_ms: Type.Integer({ description: 'Milliseconds since 1970' }) },
          { additionalProperties: false },
        ),
      },
      { additionalProperties: false },
    ),
    signature: hex(128),
  },
  { additionalProperties: false },
);
export type BotCheckChallenge = Static<typeof BotCheckChallenge>;

/** The challenge as it was given out, and what the client found. */
export const BotCheckSolution = Type.Object({
  challenge: BotCheckChallenge,
  solution: Type.Object({ counter: Type.Integer({ minimum: 0 }), derivedKey: hex(128) }),
});
export type BotCheckSolution = Static<typeof BotCheckSolution>;

export const BotCheckPassed = Type.Object({
  verification_token: Type.String({ description: 'Good once, for five minutes' }),
});
export type BotCheckPassed = Static<typeof BotCheckPassed>;

export const botCheckOperations = operations('internal', {
  getBotCheckChallenge: {
    route: 'GET /register/verify/challenge',
    summary: 'A task that costs a computer a second or two',
    requires: 'nothing',
    answers: { 200: BotCheckChallenge },
  },

  verifyBotCheck: {
    route: 'POST /register/verify',
    summary: 'Exchanges the solution of a task for a verification token',
    requires: 'nothing',
    body: BotCheckSolution,
    answers: { 200: BotCheckPassed },
    refusals: [422],
  },
});
