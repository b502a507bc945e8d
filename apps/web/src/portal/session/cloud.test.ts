import { afterEach, expect, it, vi } from 'vitest';
import { cloud } from './cloud.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('the client of the session calls the paths below /portal', async () => {
  const answer = vi.fn<typeof fetch>(async () => Response.json([]));
  vi.stubGlobal('fetch', answer);
  vi.stubGlobal('location', { origin: 'https://sun.example' });
  await cloud.listTokens();
  expect(String(answer.mock.calls[0]?.[0])).toContain('/portal/api/v1/user/tokens');
});
