import { createTestDatabase, type TestDatabase } from '@heliograph/dev/testing';
import { ManualClock, silentLogger } from '@heliograph/kit';
import { JwksKeys, SITE_TOKEN_LIFETIME_MS, SiteTokenVerifier } from '@heliograph/wire';
import { createLocalJWKSet, type JWK, jwtVerify } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OPERATOR } from '../access/caller.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { Housekeeping } from '../operator/housekeeping/housekeeping.ts';
import { selectKeys } from './records.ts';
import { listKeys, revokeKey, rotateKeys, rotateKeysWhenDue } from './rotation.ts';
import { type KeyPurpose, PUBLISHED_AFTER_MS, PUBLISHED_AHEAD_MS } from './schedule.ts';
import { SigningKeys } from './signing-keys.ts';

const CLAIMS = { siteId: 7, userId: 12, access: 'write' } as const;

let database: TestDatabase;
let opened: ReturnType<typeof openDatabase>;
let clock: ManualClock;
let platform: Parameters<typeof listKeys>[0];
beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  opened = openDatabase(database.url, () => undefined);
});
afterAll(async () => {
  await opened?.close();
  await database?.drop();
});
beforeEach(async () => {
  // Making RSA keys takes long: those stay, but for what a test makes besides.
  await opened.db.deleteFrom('signing_keys').where('purpose', '=', 'sites').execute();
  await opened.db.deleteFrom('audit_events').execute();
  clock = new ManualClock(Date.parse('2026-06-21T10:00:00Z'));
  platform = { db: opened.db, clock };
});

/** The keys as a process of the cloud has them that reads them now. */
async function startProcess(rotationDays = 0): Promise<SigningKeys> {
  const secret = { used: 'a secret of the tests', accepted: undefined };
  const service = new SigningKeys({ ...platform, secret, rotationDays, logger: silentLogger });
  await service.start();
  return service;
}

const kidsOf = (service: SigningKeys) => service.published().keys.map(({ kid }) => kid);
const keysFor = async (purpose: KeyPurpose) =>
  (await listKeys(platform)).filter((key) => key.purpose === purpose);
const states = async () => (await keysFor('sites')).map(({ state }) => state);
const actions = async () =>
  (await opened.db.selectFrom('audit_events').select('action').orderBy('id').execute()).map(
    ({ action }) => action,
  );

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(opened.db);
  return rows.length;
}

/** A verifier that has just fetched what a process publishes. */
function verifierOf(service: SigningKeys) {
  const keys = new JwksKeys({ fetch: async () => ({ keys: [...service.published().keys] }) });
  return new SiteTokenVerifier(keys, () => clock.now());
}

const sign = async (service: SigningKeys) => (await service.authorizeSite(CLAIMS, 1)).token;
const isGood = (service: SigningKeys, token: string) =>
  verifierOf(service)
    .verify(token)
    .then(
      () => true,
      () => false,
    );

it('one key signs and one is next after concurrent starts', async () => {
  // The table is held until all four wait to write to it.
  const { starting } = await opened.db.transaction().execute(async (tx) => {
    await sql`lock table signing_keys in share row exclusive mode`.execute(tx);
    const all = Promise.all([startProcess(), startProcess(), startProcess(), startProcess()]);
    await expect.poll(waitingForLocks).toBeGreaterThanOrEqual(4);
    return { starting: all };
  });
  const [first, ...others] = await starting;
  expect(await states()).toEqual(['signing', 'next']);
  for (const other of others) expect(kidsOf(other)).toEqual(first && kidsOf(first));
});

describe('rotateKeys', () => {
  it('a rotation makes the key sign that was published for a day, and publishes another one', async () => {
    await startProcess();
    const [before] = await keysFor('sites');
    clock.advance(PUBLISHED_AHEAD_MS);
    const started = await rotateKeys(platform, OPERATOR, 'sites');
    expect(started).toMatchObject({ state: 'signing' });
    const service = await startProcess();
    expect(kidsOf(service).slice(0, 2)).toEqual([before?.kid, started.kid]);
    expect(await states()).toEqual(['old', 'signing', 'next']);
    expect(await verifierOf(service).verify(await sign(service))).toMatchObject({ signedBy: started.kid });
    expect(await actions()).toEqual(['signing_key.rotated']);
  });

  it('a rotation waits for a younger key, and cannot start twice', async () => {
    const service = await startProcess();
    const scheduled = await rotateKeys(platform, OPERATOR, 'sites');
    expect(scheduled).toMatchObject({
      state: 'next',
      signsFrom: new Date(clock.now() + PUBLISHED_AHEAD_MS),
    });
    await expect(rotateKeys(platform, OPERATOR, 'sites')).rejects.toThrow(
      `Key ${scheduled.kid} is to sign from`,
    );
    await service.start();
    const signer = async () => (await verifierOf(service).verify(await sign(service))).signedBy;
    expect(await signer()).not.toBe(scheduled.kid);
    clock.advance(PUBLISHED_AHEAD_MS);
    // The process has it in memory: nothing has to be read at the very moment.
    expect(await signer()).toBe(scheduled.kid);
  });

  it('tokens of a rotated key remain valid until they expire, and then the key is deleted', async () => {
    const service = await startProcess();
    clock.advance(PUBLISHED_AHEAD_MS);
    const token = await sign(service);
    await rotateKeys(platform, OPERATOR, 'sites');
    await service.start();
    clock.advance(SITE_TOKEN_LIFETIME_MS - 1);
    expect(await isGood(service, token)).toBe(true);
    clock.advance(PUBLISHED_AFTER_MS.sites - SITE_TOKEN_LIFETIME_MS + 1);
    expect(kidsOf(service)).toHaveLength(2);
    const count = async () => (await selectKeys(opened.db, 'sites')).length;
    expect(await count()).toBe(3);
    clock.advance(1);
    await new Housekeeping(opened.db, clock, silentLogger).run();
    expect(await count()).toBe(2);
    expect(await states()).toEqual(['signing', 'next']);
  });

  it('a rotation is automatic after the configured days', async () => {
    const service = await startProcess(2);
    const kids = kidsOf(service);
    clock.advance(2 * PUBLISHED_AHEAD_MS);
    service.follow();
    await expect.poll(() => kidsOf(service)).toEqual([...kids, expect.any(String)]);
    expect(await states()).toEqual(['old', 'signing', 'next']);
    await service.stop();
  });

  it('a due rotation happens once under concurrent processes', async () => {
    await startProcess();
    clock.advance(PUBLISHED_AHEAD_MS);
    const turns = Array.from({ length: 6 }, () =>
      rotateKeysWhenDue(platform, OPERATOR, 'sites', PUBLISHED_AHEAD_MS),
    );
    expect((await Promise.all(turns)).filter((key) => key !== undefined)).toHaveLength(1);
    expect(await actions()).toEqual(['signing_key.rotated']);
  });
});

describe('revokeKey', () => {
  it('a revoked signing key is replaced by the published next one at once', async () => {
    const service = await startProcess();
    const knownBefore = verifierOf(service);
    const token = await sign(service);
    const { signedBy } = await knownBefore.verify(token);
    await revokeKey(platform, OPERATOR, signedBy);
    await service.start();
    expect(await isGood(service, token)).toBe(false);
    expect((await knownBefore.verify(await sign(service))).signedBy).not.toBe(signedBy);
    expect(await states()).toEqual(['signing', 'next']);
    expect(await actions()).toEqual(['signing_key.revoked', 'signing_key.rotated']);
  });

  it('a revoked old or next key leaves the signing key', async () => {
    await startProcess();
    clock.advance(PUBLISHED_AHEAD_MS);
    const { kid } = await rotateKeys(platform, OPERATOR, 'sites');
    await startProcess();
    for (const key of await keysFor('sites')) {
      if (key.kid !== kid) await revokeKey(platform, OPERATOR, key.kid);
    }
    expect(await keysFor('sites')).toMatchObject([{ kid, state: 'signing' }]);
    const service = await startProcess();
    expect(await verifierOf(service).verify(await sign(service))).toMatchObject({ signedBy: kid });
  });

  it('a signing key is revoked only if there is a next one; an unknown key is not found', async () => {
    await startProcess();
    const [signing, next] = await keysFor('sites');
    await revokeKey(platform, OPERATOR, next?.kid ?? '');
    await expect(revokeKey(platform, OPERATOR, signing?.kid ?? '')).rejects.toThrow('No key waits');
    expect(await keysFor('sites')).toMatchObject([{ kid: signing?.kid }]);
    await expect(revokeKey(platform, OPERATOR, 'none')).rejects.toMatchObject({ status: 404 });
    await startProcess();
    await revokeKey(platform, OPERATOR, signing?.kid ?? '');
  });
});

describe('the keys of id_tokens', () => {
  beforeEach(() => opened.db.deleteFrom('signing_keys').execute());
  const identityKids = (service: SigningKeys) => service.identityKeys().map(({ kid }) => kid);
  const verifies = async (service: SigningKeys, token: string) => {
    const publicHalf = ({ kty, n, e, kid, alg, use }: JWK) => ({ kty, n, e, kid, alg, use }) as JWK;
    const keys = service.identityKeys().map(({ privateJwk }) => publicHalf(privateJwk));
    const options = { algorithms: ['RS512'], currentDate: new Date(clock.now()) };
    return jwtVerify(token, createLocalJWKSet({ keys }), options).then(
      ({ protectedHeader }) => protectedHeader.kid,
      () => false,
    );
  };

  it('keys of id_tokens rotate on their own, at the scheduled moment, and are published a day longer', async () => {
    const service = await startProcess();
    const [first, second] = identityKids(service);
    const version = service.identityVersion();
    const siteKeys = kidsOf(service);
    expect(siteKeys).toHaveLength(2);
    const token = await service.signIdentity({ sub: '7' });
    expect(await verifies(service, token)).toBe(first);

    await rotateKeys(platform, OPERATOR, 'identity');
    await service.start();
    expect(identityKids(service)).toEqual([first, second, expect.any(String)]);
    clock.advance(PUBLISHED_AHEAD_MS);
    expect(identityKids(service)).toEqual([second, first, expect.any(String)]);
    expect(service.identityVersion()).not.toBe(version);
    expect(await verifies(service, await service.signIdentity({ sub: '7' }))).toBe(second);

    clock.advance(PUBLISHED_AFTER_MS.identity - 1);
    expect(await verifies(service, token)).toBe(first);
    clock.advance(1);
    expect(await verifies(service, token)).toBe(false);
    clock.advance(1);
    await new Housekeeping(opened.db, clock, silentLogger).run();
    expect((await selectKeys(opened.db, 'identity')).map(({ kid }) => kid)).not.toContain(first);
    expect(kidsOf(service)).toEqual(siteKeys);
    expect(await states()).toEqual(['signing', 'next']);
  });

  it('keys of id_tokens are revoked on their own', async () => {
    const service = await startProcess();
    const [first = '', second] = identityKids(service);
    const token = await service.signIdentity({ sub: '7' });
    await revokeKey(platform, OPERATOR, first);
    await service.start();
    expect(identityKids(service)).toEqual([second, expect.any(String)]);
    expect(await verifies(service, token)).toBe(false);
    expect(await states()).toEqual(['signing', 'next']);
  });
});
