import { expect, test } from 'vitest';
import type { TunnelLink } from '../tunnels/tunnel-link.ts';
import { UpstreamResolver, type UpstreamResolverOptions } from './upstream-resolver.ts';

test('a session that is closing but still registered is passed over for the proxy that has the site now', async () => {
  const closing = { isClosing: true, isSaturated: false };
  const peer = {} as TunnelLink;
  // Only what the resolver reads of each part: a real session closes too fast to be found in between.
  const resolver = new UpstreamResolver({
    proxyName: 'a',
    registry: { find: () => closing },
    recentlyLeft: { waitMs: () => 0, moveGraceMs: 0 },
    locator: { byId: async () => ({ proxy: { name: 'b', url: 'https://b' }, relay_token: 'token' }) },
    peers: { connect: async () => peer },
  } as unknown as UpstreamResolverOptions);
  expect(await resolver.resolve(1, false)).toBe(peer);
  closing.isClosing = false;
  expect(resolver.resolve(1, false)).toBe(closing);
});
