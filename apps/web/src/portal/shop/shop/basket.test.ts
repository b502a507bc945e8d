import { expect, it } from 'vitest';
import {
  EMPTY_BASKET,
  readBasket,
  withItem,
  withoutProduct,
  withProduct,
  withQuantity,
  writeBasket,
} from './basket.ts';

const ITEM = { productId: 7, quantity: 1, deviceUid: 'uid' };

it('a product that is added twice is in the basket two times', () => {
  const twice = withProduct(withProduct(EMPTY_BASKET, 7, 'EUR'), 7, 'EUR');
  expect(twice).toEqual({ currency: 'EUR', items: [{ productId: 7, quantity: 2, deviceUid: '' }] });
  expect(withoutProduct(twice, 7).items).toEqual([]);
  expect(withItem(twice, ITEM).items).toEqual([ITEM]);
});

it('more than one licence names no device', () => {
  expect(withQuantity(ITEM, 2)).toEqual({ productId: 7, quantity: 2, deviceUid: '' });
  expect(withQuantity(ITEM, 1)).toEqual(ITEM);
});

it.each([
  [0, 1],
  [Number.NaN, 1],
  [2.4, 2],
  [5_000, 1_000],
])('a quantity of %s becomes %s', (quantity, expected) => {
  expect(withQuantity(ITEM, quantity).quantity).toBe(expected);
});

it('a basket has no more different products than an order', () => {
  const products = Array.from({ length: 60 }, (_, index) => index + 1);
  const basket = products.reduce((filled, id) => withProduct(filled, id, 'EUR'), EMPTY_BASKET);
  expect(basket.items).toHaveLength(50);
});

it('a stored basket is read again, and another text is an empty one', () => {
  const basket = { currency: 'EUR', items: [ITEM] };
  expect(readBasket(writeBasket(basket))).toMatchObject(basket);
  for (const text of [null, '', 'x', '[]', '{"currency":"EUR","items":[{"productId":"7"}]}'])
    expect(readBasket(text)).toMatchObject(EMPTY_BASKET);
});

it('a stored basket keeps the key of its order until it is changed', () => {
  const text = writeBasket({ currency: 'EUR', items: [ITEM] });
  const { orderKey } = readBasket(text);
  expect(orderKey).toMatch(/^[0-9a-f]{32}$/);
  expect(readBasket(text).orderKey).toBe(orderKey);
  const changed = writeBasket(withProduct(readBasket(text), 8, 'EUR'));
  expect(readBasket(changed).orderKey).not.toBe(orderKey);
});
