import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { issueRegistrationCode } from '../../db/registration-codes.ts';

/** Enough for a slow machine. */
const PATIENCE_MS = 600_000;

let cloud: TestCloud;
let staff: string;
let ownerId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  ownerId = (await cloud.make.user()).id;
  staff = (await cloud.make.user({ staff: true })).token;
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

interface Session {
  readonly uid: string;
  readonly site_id: number;
}

async function newSession(): Promise<Session> {
  const site = await cloud.make.site({ ownerId });
  return { uid: site.uid, site_id: site.id };
}

async function state(uid: string) {
  const { body } = await cloud.call(`GET /api/v1/devices/${uid}`, { token: staff });
  return { online: body.online, proxy: body.proxy, seen: body.last_seen_at };
}

const now = () => new Date(cloud.clock.now()).toISOString();

let count = 0;
/** A proxy that announced everything, as announcement 1 of its first run. */
async function newProxy(sessions: Session[] = []): Promise<string> {
  const name = `changing-${++count}`;
  await cloud.announce(name, { sessions, run: 'first', sequence: 1 });
  return name;
}

const storedOf = (name: string) =>
  cloud.db
    .selectFrom('proxies')
    .select(['session_count as sessions', 'announced_at as at', 'draining'])
    .where('name', '=', name)
    .executeTakeFirstOrThrow();

describe('PATCH /proxies/:name', () => {
  it('an announcement changes the named devices only and keeps the proxy live', async () => {
    const [stays, goes, comes] = [await newSession(), await newSession(), await newSession()];
    const proxy = await newProxy([stays, goes]);
    const seen = now();
    cloud.clock.advance(5_000);
    const change = { sequence: 2, removed: [goes.uid], added: [comes], draining: true };
    expect(await cloud.announceChange(proxy, change)).toMatchObject({
      status: 200,
      body: { revoked: [], drain: false, revocations: expect.any(Array) },
    });
    expect(await state(stays.uid)).toEqual({ online: true, proxy, seen: now() });
    expect(await state(goes.uid)).toEqual({ online: false, proxy, seen });
    expect(await state(comes.uid)).toEqual({ online: true, proxy, seen: now() });
    expect(await storedOf(proxy)).toEqual({ sessions: 2, at: new Date(now()), draining: true });
  });

  it('the answer has whether another proxy takes devices', async () => {
    const proxy = await newProxy();
    cloud.clock.advance(21_000);
    const hasOthers = async (sequence: number) =>
      (await cloud.announceChange(proxy, { sequence })).body.others;
    expect(await hasOthers(2)).toBe(false);
    const other = await newProxy();
    expect(await hasOthers(3)).toBe(true);
    await cloud.announceChange(other, { sequence: 2, draining: true });
    expect(await hasOthers(4)).toBe(false);
  });

  it('a device both removed and added stays online', async () => {
    const session = await newSession();
    const proxy = await newProxy([session]);
    await cloud.announceChange(proxy, { sequence: 2, removed: [session.uid], added: [session] });
    expect(await state(session.uid)).toMatchObject({ online: true, proxy });
    expect(await storedOf(proxy)).toMatchObject({ sessions: 1 });
  });

  it.each([
    ['comes again', { sequence: 1 }],
    ['leaves one out', { sequence: 3 }],
    ['is of another run', { sequence: 2, run: 'second' }],
    ['has a number beyond all', { sequence: Number.MAX_SAFE_INTEGER }],
  ])('the answer is 409 when the announcement %s', async (_what, which) => {
    const session = await newSession();
    const proxy = await newProxy([session]);
    const answer = await cloud.announceChange(proxy, { ...which, removed: [session.uid] });
    expect(answer).toMatchObject({ status: 409, body: { error: expect.any(String) } });
    expect(await state(session.uid)).toMatchObject({ online: true });
    expect((await cloud.announceChange(proxy, { sequence: 2 })).status).toBe(200);
  });

  it('the answer is 409 for an unknown proxy and for one without a run', async () => {
    expect((await cloud.announceChange('unheard-of', { sequence: 1 })).status).toBe(409);
    await cloud.announce('runless');
    expect((await cloud.announceChange('runless', { sequence: 1 })).status).toBe(409);
  });

  it('concurrent copies of an announcement are applied once', async () => {
    const session = await newSession();
    const proxy = await newProxy();
    const change = { sequence: 2, added: [session] };
    const answers = await Promise.all(Array.from({ length: 6 }, () => cloud.announceChange(proxy, change)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await storedOf(proxy)).toMatchObject({ sessions: 1 });
  });

  it('the sessions of revoked and reassigned devices are listed once to be ended', async () => {
    const [revoked, lost, stays] = [await newSession(), await newSession(), await newSession()];
    const [proxy, other] = [await newProxy([revoked, lost, stays]), await newProxy()];
    cloud.clock.advance(1_000);
    const seen = (await storedOf(proxy)).at.toISOString();
    await cloud.call(`POST /api/v1/devices/${revoked.uid}/revoke`, { token: staff });
    await cloud.db.deleteFrom('sites').where('id', '=', lost.site_id).execute();
    expect(await state(revoked.uid)).toEqual({ online: false, proxy, seen });
    expect(await state(lost.uid)).toEqual({ online: false, proxy, seen });
    const { body } = await cloud.announceChange(proxy, { sequence: 2 });
    expect((body.revoked as string[]).toSorted()).toEqual([revoked.uid, lost.uid].toSorted());
    expect((await cloud.announceChange(proxy, { sequence: 3 })).body.revoked).toEqual([]);
    // The proxy can hold an older session of them.
    expect((await cloud.announceChange(other, { sequence: 2 })).body.revoked).toHaveLength(2);
    // They return with their present tokens.
    const again = await cloud.announceChange(proxy, { sequence: 4, added: [revoked, lost] });
    expect((again.body.revoked as string[]).toSorted()).toEqual([revoked.uid, lost.uid].toSorted());
    expect(await state(revoked.uid)).toMatchObject({ online: false });
  });

  it('the new session of a device that is registered again is not ended', async () => {
    const session = await newSession();
    const proxy = await newProxy([session]);
    const owner = await cloud.make.user();
    await cloud.db.deleteFrom('sites').where('id', '=', session.site_id).execute();
    const code = await issueRegistrationCode(cloud.db, session.uid, new Date(cloud.clock.now() + 1000));
    const { body } = await cloud.call('POST /api/v1/sites/register', {
      token: owner.token,
      body: { uid: session.uid, code },
    });
    const again = { uid: session.uid, site_id: Number(body.id) };
    const answer = await cloud.announceChange(proxy, { sequence: 2, removed: [again.uid], added: [again] });
    expect(answer.body.revoked).toEqual([]);
    expect(await state(again.uid)).toMatchObject({ online: true, proxy });
    expect((await cloud.announceChange(proxy, { sequence: 3 })).body.revoked).toEqual([]);
  });
});

/** Events of devices and announcements; proxies and devices by number. */
type Event =
  | { readonly kind: 'move'; readonly device: number; readonly to: number | null }
  | { readonly kind: 'announce'; readonly proxy: number; readonly how: 'once' | 'twice' | 'lost' | 'deaf' };

const DEVICES = 4;
const PROXIES = 2;

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constant('move' as const),
    device: fc.nat(DEVICES - 1),
    to: fc.option(fc.nat(PROXIES - 1)),
  }),
  fc.record({
    kind: fc.constant('announce' as const),
    proxy: fc.nat(PROXIES - 1),
    how: fc.constantFrom('once' as const, 'twice' as const, 'lost' as const, 'deaf' as const),
  }),
);

/** A proxy as it announces itself: changes alone, and everything after any failure. */
class AnnouncingProxy {
  readonly name: string;
  readonly held = new Map<string, Session>();
  #left = new Set<string>();
  #came = new Set<string>();
  #sequence = 1;
  #failed = false;

  constructor(name: string) {
    this.name = name;
  }

  come(session: Session): void {
    this.held.set(session.uid, session);
    this.#came.add(session.uid);
  }

  leave({ uid }: Session): void {
    this.held.delete(uid);
    if (!this.#came.delete(uid)) this.#left.add(uid);
  }

  /** @param how twice: the network repeats it; lost: it never arrives; deaf: its answer does not */
  async announce(how: 'once' | 'twice' | 'lost' | 'deaf'): Promise<void> {
    this.#sequence += 1;
    const send = this.#failed
      ? () =>
          cloud.announce(this.name, {
            run: 'first',
            sequence: this.#sequence,
            sessions: [...this.held.values()],
          })
      : () =>
          cloud.announceChange(this.name, {
            sequence: this.#sequence,
            removed: [...this.#left],
            added: [...this.#came].flatMap((uid) => this.held.get(uid) ?? []),
          });
    if (how !== 'lost') {
      const answers = await Promise.all([send(), ...(how === 'twice' ? [send()] : [])]);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
    }
    this.#failed = how === 'lost' || how === 'deaf';
    this.#left = new Set();
    this.#came = new Set();
  }
}

it(
  'the cloud knows the proxy of every device after any lost or repeated announcements',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (events) => {
        const devices = await Promise.all(Array.from({ length: DEVICES }, newSession));
        const proxies = [new AnnouncingProxy(await newProxy()), new AnnouncingProxy(await newProxy())];
        const at = new Map<string, AnnouncingProxy>();
        for (const happened of events) {
          const proxy = proxies[(happened.kind === 'move' ? happened.to : happened.proxy) ?? -1];
          if (happened.kind === 'announce') {
            await proxy?.announce(happened.how);
            continue;
          }
          const session = devices[happened.device];
          if (session === undefined) throw new Error('no such device');
          at.get(session.uid)?.leave(session);
          at.delete(session.uid);
          if (proxy === undefined) continue;
          // A device dials where the cloud sends it.
          await cloud.assign(proxy.name, [session.uid]);
          proxy.come(session);
          at.set(session.uid, proxy);
        }
        for (const proxy of [...proxies, ...proxies]) await proxy.announce('once');
        for (const { uid } of devices) {
          const holder = at.get(uid);
          expect(await state(uid)).toMatchObject(
            holder === undefined ? { online: false } : { online: true, proxy: holder.name },
          );
        }
        for (const { name, held } of proxies) {
          expect(await storedOf(name)).toMatchObject({ sessions: held.size });
        }
      }),
      { numRuns: 15 },
    );
  },
  PATIENCE_MS,
);
