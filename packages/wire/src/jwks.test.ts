import type { JSONWebKeySet } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { JwksKeys, type JwksKeysOptions } from './jwks.ts';
import { generateSigningKey, type SigningKey } from './signing-key.ts';

const MIN_INTERVAL_MS = 5_000;

describe('a published key set', () => {
  let old: SigningKey;
  let next: SigningKey;
  let published: SigningKey[];
  let reachable: boolean;
  let fetches: number;
  let now: number;

  beforeAll(async () => {
    [old, next] = await Promise.all([generateSigningKey(), generateSigningKey()]);
  });
  beforeEach(() => {
    published = [old];
    reachable = true;
    fetches = 0;
    now = 0;
  });

  const setOf = (keys: readonly SigningKey[]): JSONWebKeySet => ({
    keys: keys.map(({ publicJwk }) => publicJwk),
  });
  const keysWith = (options: Partial<JwksKeysOptions> = {}): JwksKeys =>
    new JwksKeys({
      fetch: async () => {
        fetches++;
        if (!reachable) throw new Error('out of reach');
        return setOf(published);
      },
      monotonic: () => now,
      minIntervalMs: MIN_INTERVAL_MS,
      ...options,
    });
  const knows = async (keys: JwksKeys, key: SigningKey): Promise<boolean> =>
    (await keys.find(key.kid)) !== undefined;

  it('the key set is fetched at the first lookup and not again for known keys', async () => {
    const keys = keysWith();
    expect(fetches).toBe(0);
    expect([await knows(keys, old), await knows(keys, old)]).toEqual([true, true]);
    expect(fetches).toBe(1);
  });

  it('concurrent lookups cause one fetch', async () => {
    const keys = keysWith();
    const found = await Promise.all(Array.from({ length: 20 }, () => knows(keys, old)));
    expect(found.every(Boolean)).toBe(true);
    expect(fetches).toBe(1);
  });

  it('an unknown key id causes another fetch', async () => {
    const keys = keysWith();
    await knows(keys, old);
    published = [old, next];
    now += MIN_INTERVAL_MS;
    expect([await knows(keys, next), await knows(keys, old)]).toEqual([true, true]);
    expect(fetches).toBe(2);
  });

  it('a withdrawn key is unknown after the next fetch', async () => {
    const keys = keysWith();
    await knows(keys, old);
    published = [next];
    now += MIN_INTERVAL_MS;
    await keys.refresh();
    now += MIN_INTERVAL_MS;
    expect([await knows(keys, next), await knows(keys, old)]).toEqual([true, false]);
    expect([keys.has(next.kid), keys.has(old.kid)]).toEqual([true, false]);
  });

  it('unknown key ids cause no fetch within the minimum interval', async () => {
    const keys = keysWith();
    for (let i = 0; i < 50; i++) await keys.find(`made up ${i}`);
    expect(fetches).toBe(1);
    now += MIN_INTERVAL_MS;
    await keys.find('made up');
    expect(fetches).toBe(2);
  });

  it('known keys remain valid while the origin is unreachable', async () => {
    const keys = keysWith();
    await knows(keys, old);
    reachable = false;
    now += MIN_INTERVAL_MS;
    expect([await knows(keys, next), await knows(keys, old)]).toEqual([false, true]);
  });

  it('a lookup in an old key set refreshes it in the background', async () => {
    const keys = keysWith({ maxAgeMs: 60_000 });
    await knows(keys, old);
    published = [next];
    now += 59_999;
    expect([keys.has(old.kid), await knows(keys, old), fetches]).toEqual([true, true, 1]);
    now += 1;
    expect(keys.has(old.kid)).toBe(true);
    await expect.poll(() => [keys.has(old.kid), keys.has(next.kid)]).toEqual([false, true]);
    expect(fetches).toBe(2);
  });

  it('a stored key set works without its origin', async () => {
    let kept: JSONWebKeySet | undefined;
    await keysWith({
      onFetched: (set) => {
        kept = set;
      },
    }).refresh();
    reachable = false;
    const restarted = keysWith({ initial: kept });
    expect(await knows(restarted, old)).toBe(true);
    expect(fetches).toBe(1);
  });

  it('keys of other types and keys without an id are skipped', async () => {
    const odd = { kty: 'RSA', kid: 'rsa', n: 'AQAB', e: 'AQAB' };
    const { kid: _kid, ...nameless } = next.publicJwk;
    const keys = keysWith({ fetch: async () => ({ keys: [odd, nameless, old.publicJwk] }) });
    expect(await keys.find('rsa')).toBeUndefined();
    expect(await knows(keys, old)).toBe(true);
  });

  it('an invalid answer of the origin leaves the known keys in place', async () => {
    const bad = { kty: 'OKP', crv: 'Ed25519', kid: 'bad', x: '!' };
    const keys = keysWith({ initial: setOf([old]), fetch: async () => ({ keys: [bad] }) });
    expect(await keys.find('bad')).toBeUndefined();
    expect(await knows(keys, old)).toBe(true);
  });
});
