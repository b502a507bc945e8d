import { ManualClock } from '@heliograph/kit';
import { SITE_TOKEN_LIFETIME_MS, type SiteTokenClaims } from '@heliograph/wire';
import { expect, it } from 'vitest';
import { openTemporaryDatabase } from '../storage/database.ts';
import { KeyValueStore } from '../storage/key-value.ts';
import { SiteRevocations } from './site-revocations.ts';

const SITE = 7;
const OTHER_SITE = 8;
const NOW = Date.parse('2026-11-26T08:00:00.123Z');
const AGED_MS = -SITE_TOKEN_LIFETIME_MS - 1_000;

/** Of tokens for the API token 7, when they were issued, relative to now. */
const ISSUED_MS = [AGED_MS, -5_000, -1_000, 0, 1_000];

const claimsOf = (source: string, issuedAt: number): SiteTokenClaims => ({
  siteId: SITE,
  userId: 12,
  access: 'write',
  mayConfigure: false,
  isPerson: false,
  source,
  recovery: null,
  keyDigest: '',
  id: '',
  issuedAt,
  expiresAt: issuedAt + SITE_TOKEN_LIFETIME_MS,
  signedBy: '',
});

/** An answer of the cloud: a site, and when its API token 7 was revoked, relative to now. */
type Answer = readonly [siteId: number, revokedMs?: number];

it.each<[string, readonly Answer[], readonly number[]]>([
  ['covers the tokens issued before it', [[SITE, 0]], [AGED_MS, -5_000, -1_000]],
  [
    'is not replaced by an earlier one',
    [
      [SITE, 0],
      [SITE, -3_000],
    ],
    [AGED_MS, -5_000, -1_000],
  ],
  [
    'is replaced by a later one',
    [
      [SITE, -3_000],
      [SITE, 0],
    ],
    [AGED_MS, -5_000, -1_000],
  ],
  ['stays after an answer without it', [[SITE, 0], [SITE]], [AGED_MS, -5_000, -1_000]],
  ['is forgotten with its site', [[SITE, 0], [OTHER_SITE], [SITE]], []],
  ['of another site covers no token of this one', [[OTHER_SITE, 0]], []],
  ['is kept while such a token can be alive', [[SITE, -SITE_TOKEN_LIFETIME_MS]], [AGED_MS]],
  ['is forgotten when no such token can be alive', [[SITE, -SITE_TOKEN_LIFETIME_MS - 1]], []],
])('a revocation %s, also after a restart', (_what, answers, covered) => {
  using db = openTemporaryDatabase();
  const clock = new ManualClock(NOW);
  const store = new KeyValueStore(db);
  const running = new SiteRevocations(store, clock);
  for (const [siteId, revokedMs] of answers) {
    const revoked_at = revokedMs === undefined ? undefined : new Date(NOW + revokedMs).toISOString();
    running.learn(siteId, revoked_at === undefined ? [] : [{ subject: 'token:7', revoked_at }]);
  }
  for (const revocations of [running, new SiteRevocations(store, clock)]) {
    const covers = (source: string) =>
      ISSUED_MS.filter((issuedMs) => revocations.cover(claimsOf(source, NOW + issuedMs)));
    expect([covers('token:7'), covers('token:8')]).toEqual([covered, []]);
  }
});

it('revocations of no living token are not stored, nor in the ping to the proxy', () => {
  using db = openTemporaryDatabase();
  const clock = new ManualClock(NOW);
  const store = new KeyValueStore(db);
  const revocations = new SiteRevocations(store, clock);
  const none = revocations.ping;
  revocations.learn(SITE, [{ subject: 'token:7', revoked_at: new Date(NOW).toISOString() }]);
  expect(revocations.ping).not.toEqual(none);
  clock.advance(SITE_TOKEN_LIFETIME_MS + 1);
  expect(revocations.ping).toEqual(none);
  revocations.learn(SITE, []);
  expect(store.get('site_revocations')).toBe(`{"siteId":${SITE},"revoked":[]}`);
});
