import { expect, it } from 'vitest';
import { detectRedirectLoop, type SiteRedirect } from './redirect-loop.ts';

function after(...openings: readonly SiteRedirect[]): boolean[] {
  let before: readonly SiteRedirect[] = [];
  return openings.map((opening) => {
    const { isLoop, openings: kept } = detectRedirectLoop(before, opening);
    before = kept;
    return isLoop;
  });
}

const home = (at: number): SiteRedirect => ({ site: 'home', at });

it('a fourth redirect within half a minute is a loop, and the fifth counts from the start', () => {
  expect(after(home(0), home(1_000), home(2_000), home(29_999), home(30_000))).toEqual([
    false,
    false,
    false,
    true,
    false,
  ]);
});

it('redirects of long ago and to other sites do not count', () => {
  const cabin = { site: 'cabin', at: 3 };
  expect(after(home(0), home(1), home(2), cabin, home(30_001))).not.toContain(true);
});
