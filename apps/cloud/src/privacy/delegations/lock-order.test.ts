import { type Delegation, SESSION_SCOPES } from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { type HttpsReceiver, startHttpsReceiver } from '../../../test/https-receiver.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { suspendLapsed } from '../../db/delegations.ts';
import { removeDueAccounts } from '../account-deletion/removal.ts';

let receiver: HttpsReceiver;
let cloud: TestCloud;
/** Owns the organization, and a site of another one. */
let owner: TestUser;
/** An admin of both. */
let author: TestUser;
let organization: number;
let site: number;
beforeAll(async () => {
  receiver = await startHttpsReceiver();
  cloud = await startTestCloud({}, undefined, { internet: receiver.internet });
});
afterAll(async () => {
  await cloud?.[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(async () => {
  organization = await cloud.make.organization();
  owner = await cloud.make.employee(organization, 'owner');
  author = await cloud.make.employee(organization, 'admin');
  site = (await cloud.make.site({ ownerId: owner.id })).id;
  await cloud.make.member(site, author.id, 'admin');
});

const statusOf = async (route: string, token = owner.token, body?: unknown) =>
  (await cloud.call(route, { token, body })).status;
const sessionOf = (user: TestUser) => cloud.make.token(user.id, { kind: 'session', scopes: SESSION_SCOPES });

/** Begins `acts` one after another, each of which waits for `rows` until all have begun. @returns their answers */
async function meet<T>(rows: RawBuilder<unknown>, acts: readonly (() => Promise<T>)[]): Promise<T[]> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const holding = cloud.db.transaction().execute(async (tx) => {
    await sql`${rows} for no key update`.execute(tx);
    hold();
    await isReleased;
  });
  await isHeld;
  const answers: Promise<T>[] = [];
  for (const act of acts) {
    answers.push(act());
    await expect.poll(() => cloud.waitingForLocks()).toBe(answers.length);
  }
  release();
  await holding;
  return Promise.all(answers);
}

/** Suspends what has lost its author while `act` is under way. @returns the answer to `act` */
async function meetSuspension<T>(row: RawBuilder<unknown>, act: () => Promise<T>): Promise<T | undefined> {
  const { db, clock } = cloud;
  const suspend = async () => {
    await db.transaction().execute((tx) => suspendLapsed(tx, 'all', { clock }));
    return undefined;
  };
  const [answer] = await meet<T | undefined>(row, [act, suspend]);
  return answer;
}

describe('a suspension of a share', () => {
  /** The author shares the site, and loses the right to that. */
  async function shareAndLapse(): Promise<number | null> {
    const consent = await cloud.make.token(author.id, {
      ...{ kind: 'oauth', scopes: ['openid', 'sites:read_single'] },
      ...{ siteId: site, applicationOrganizationId: organization },
    });
    expect(await statusOf('POST /api/v1/organization_sites', consent, { site_id: site })).toBe(200);
    await cloud.db
      .updateTable('site_members')
      .set({ role: 'member' })
      .where('user_id', '=', author.id)
      .execute();
    const route = `GET /api/v1/sites/${site}/delegations`;
    const { body } = await cloud.call<Delegation[]>(route, { token: owner.token });
    return body[0]?.id ?? null;
  }
  const row = () => sql`select from sites where id = ${site}`;

  it('two removals of the author suspend the shares of two sites at the same time', async () => {
    await shareAndLapse();
    const [first, { id: second }] = [site, await cloud.make.site({ ownerId: owner.id })];
    await cloud.make.member(second, author.id, 'admin');
    site = second;
    await shareAndLapse();
    const answers = await meet(sql`select from site_members where user_id = ${author.id}`, [
      () => statusOf(`DELETE /api/v1/sites/${first}/users/${author.id}`),
      () => statusOf(`DELETE /api/v1/sites/${second}/users/${author.id}`),
    ]);
    expect(answers).toEqual([204, 204]);
    const shares = await cloud.db
      .selectFrom('delegations')
      .select('suspended_for')
      .where('author_id', '=', author.id)
      .execute();
    expect(shares).toEqual([{ suspended_for: 'role' }, { suspended_for: 'role' }]);
  });

  it('the suspension meets the end of the share', async () => {
    const id = await shareAndLapse();
    const route = `DELETE /api/v1/sites/${site}/delegations/${id}`;
    expect(await meetSuspension(row(), () => statusOf(route))).toBe(204);
  });

  it('the suspension meets the removal of the author from the site', async () => {
    await shareAndLapse();
    const route = `DELETE /api/v1/sites/${site}/users/${author.id}`;
    expect(await meetSuspension(row(), () => statusOf(route))).toBe(204);
  });

  it('the suspension meets the release of the site', async () => {
    await shareAndLapse();
    expect(await meetSuspension(row(), () => statusOf(`DELETE /api/v1/sites/${site}`))).toBe(204);
  });

  it('the suspension meets the end of the organization', async () => {
    await shareAndLapse();
    const token = await sessionOf(owner);
    const closing = () => statusOf(`DELETE /api/v1/organizations/${organization}`, token);
    const row = sql`select from organization_sites where organization_id = ${organization}`;
    expect(await meetSuspension(row, closing)).toBe(204);
  });
});

describe('a suspension of a webhook', () => {
  const make = async (body = {}) => {
    const webhook = { name: 'Mine', url: 'https://localhost/mine', types: ['alert'], ...body };
    const made = await cloud.call<{ id: number }>('POST /api/v1/webhooks', {
      token: author.token,
      body: webhook,
    });
    expect(made.status).toBe(201);
    return sql`select from webhooks where id = ${made.body.id}`;
  };

  it('the suspension meets the end of the organization', async () => {
    const row = await make({ organization_id: organization });
    await cloud.db.deleteFrom('organization_members').where('user_id', '=', author.id).execute();
    const token = await sessionOf(owner);
    const closing = () => statusOf(`DELETE /api/v1/organizations/${organization}`, token);
    expect(await meetSuspension(row, closing)).toBe(204);
  });

  it('the suspension meets the deletion of the account', async () => {
    const row = await make();
    const at = new Date(cloud.clock.now());
    await cloud.db.updateTable('tokens').set({ revoked_at: at }).where('user_id', '=', author.id).execute();
    await cloud.db
      .insertInto('account_deletions')
      .values({ user_id: author.id, requested_at: at, due_at: at })
      .execute();
    const { db, clock } = cloud;
    await meetSuspension(row, () => removeDueAccounts({ db, clock, logger: silentLogger }));
    const left = await cloud.db.selectFrom('users').select('id').where('id', '=', author.id).execute();
    expect(left).toEqual([]);
  });
});
