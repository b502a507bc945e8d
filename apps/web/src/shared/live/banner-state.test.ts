import { expect, it } from 'vitest';
import { AWAY_AFTER_MS, type BannerFacts, type BannerState, bannerState } from './banner-state.ts';

const NOW = 1_000_000;

const LIVE: BannerFacts = {
  status: { state: 'live', since: 0 },
  hasValues: true,
  isAllStale: false,
  isBrowserOnline: true,
  nowMs: NOW,
};
const broken = (agoMs: number) => ({ status: { state: 'reconnecting', since: NOW - agoMs } }) as const;

it.each<[string, Partial<BannerFacts>, BannerState]>([
  ['values come', {}, 'live'],
  ['no reading is new', { isAllStale: true }, 'stale'],
  [
    'the page has just been opened',
    { status: { state: 'connecting', since: NOW }, hasValues: false },
    'connecting',
  ],
  [
    'the first connection takes long',
    { status: { state: 'connecting', since: 0 }, hasValues: false },
    'away',
  ],
  ['the connection broke', broken(1_000), 'reconnecting'],
  ['it has been broken for some time', broken(AWAY_AFTER_MS), 'away'],
  ['the browser is offline', { ...broken(AWAY_AFTER_MS), isBrowserOnline: false }, 'browser-offline'],
  ['the browser says so, and values come all the same', { isBrowserOnline: false }, 'live'],
  ['access has ended', { status: { state: 'refused', since: 0 }, isAllStale: true }, 'refused'],
])('the banner state is right when %s', (_what, facts, state) => {
  expect(bannerState({ ...LIVE, ...facts })).toBe(state);
});
