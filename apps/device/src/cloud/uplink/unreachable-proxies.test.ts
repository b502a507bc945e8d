import { ManualClock } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { UnreachableProxies } from './unreachable-proxies.ts';

const MINUTE_MS = 60_000;

it('a proxy is remembered for ten minutes after it was tried last, each by itself', () => {
  const clock = new ManualClock(0);
  const proxies = new UnreachableProxies(clock);
  proxies.add('a');
  clock.advance(9 * MINUTE_MS);
  proxies.add('b');
  expect(proxies.names).toEqual(['a', 'b']);
  clock.advance(MINUTE_MS);
  expect([proxies.names, proxies.has('a'), proxies.has('b')]).toEqual([['b'], false, true]);
  proxies.add('a');
  proxies.add('b');
  proxies.delete('a');
  expect(proxies.names).toEqual(['b']);
  clock.advance(9.9 * MINUTE_MS);
  expect(proxies.has('b')).toBe(true);
  proxies.clear();
  expect(proxies.names).toEqual([]);
});

it('the eight proxies that were tried last are remembered', () => {
  const proxies = new UnreachableProxies(new ManualClock(0));
  for (const name of 'abcdefgh') proxies.add(name);
  proxies.add('a');
  expect(proxies.names).toEqual([...'bcdefgha']);
  proxies.add('i');
  expect(proxies.names).toEqual([...'cdefghai']);
});
