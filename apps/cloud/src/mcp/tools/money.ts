import { type Money, priceText } from '@heliograph/contracts';
import { type Static, Type } from 'typebox';

/** An amount that a model reads right: it would take cents for dollars. */
export const MoneyWithText = Type.Object({
  amount: Type.Integer({ description: 'In the smallest unit of the currency' }),
  currency: Type.String({ description: 'ISO 4217' }),
  text: Type.String({ description: 'The same amount for people, such as 229.00 USD' }),
});

export function withText({ amount, currency }: Money): Static<typeof MoneyWithText> {
  return { amount, currency, text: `${priceText({ amount, currency })} ${currency}` };
}
