import { expect, it } from 'vitest';
import { keyFor } from './order-key.ts';

it('the same order again has the same key, and another one another', () => {
  const first = keyFor({ items: [1] }, undefined);
  expect(first.key).toMatch(/^[0-9a-f]{32}$/);
  expect(keyFor({ items: [1] }, first)).toBe(first);
  expect(keyFor({ items: [2] }, first).key).not.toBe(first.key);
});
