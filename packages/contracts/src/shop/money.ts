import { type Static, Type } from 'typebox';

/** An amount of money, without fractions: floating point would lose cents. */
export const Money = Type.Object({
  amount: Type.Integer({ description: 'In the smallest unit of the currency: cents of a dollar, whole yen' }),
  currency: Type.String({ description: 'ISO 4217, such as USD' }),
});
export type Money = Static<typeof Money>;
