import { expect, it } from 'vitest';
import { browsingUrl } from './browsing-url.ts';

it('the address at the host of the site carries the credentials', () => {
  const access = { token: 'a.b.c', site_key: 'k+/=' };
  expect(browsingUrl('http://demo.localhost:4001', access)).toBe(
    'http://demo.localhost:4001/callback?token=a.b.c&key=k%2B%2F%3D',
  );
});
