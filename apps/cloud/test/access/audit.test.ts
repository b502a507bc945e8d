import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../test-cloud.ts';
import { AccessFixture } from './fixture.ts';
import { pathOf } from './requests.ts';
import { CALLERS, ROWS } from './rows.ts';

let cloud: TestCloud;
let fixture: AccessFixture;
beforeAll(async () => {
  cloud = await startTestCloud();
  fixture = await AccessFixture.make(cloud);
  await sql`create table refusals (since timestamptz)`.execute(cloud.db);
  await sql`create function refuse_record() returns trigger language plpgsql as $$ begin
    if exists (select from refusals) then raise exception 'no space for audit records'; end if;
    return new;
  end $$`.execute(cloud.db);
  await sql`create trigger refused before insert on audit_events
    for each row execute function refuse_record()`.execute(cloud.db);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** Writing operations, each with a caller who may do it. */
const CHANGES = ROWS.flatMap((row) => {
  const caller = CALLERS.find((one) => Number(row.expected[one]) < 300);
  return caller === undefined || row.operation.route.startsWith('GET ') ? [] : [{ ...row, caller }];
});

/** Operations without a record in the table's case, and the reason. */
const WITHOUT_RECORD: Readonly<Record<string, string>> = {
  authorizeSite: 'reads: the site token is stored with its source',
  changeSiteAlert: 'the alert has the account and the time',
  createIdToken: 'reads',
  createUpload: 'the message that it is attached to has the account',
  describeSessionConfirmation: 'reads',
  endDelegations: 'there are none',
  endSiteDelegations: 'there are none',
  handOverSession: 'the sign-in with the link is recorded',
  probeSite: 'the device records it',
  removeOrganizationLogo: 'there is none',
  removePushSubscription: 'a browser of the account',
  restoreDevice: 'it is not revoked',
  startAuthenticatorApp: 'adding the app is recorded',
  startPasskey: 'adding the passkey is recorded',
  testNotifications: 'to the account itself',
  testWebhook: 'to a webhook whose making is recorded',
  undrainProxy: 'it does not drain',
};

/** Counters of limits, what the service does by itself with events and mails, and challenges, which each attempt spends. */
const OTHER_TABLES = [
  ...['rate_limits', 'event_cursors', 'notifications', 'message_queues', 'mailbox_messages'],
  ...['deliveries', 'passkey_challenges', 'refusals'],
];

/** The number of rows of each table, and the newest version of one: each change of a row makes another version. */
async function readState(): Promise<ReadonlyMap<string, unknown>> {
  const { rows: tables } = await sql<{
    name: string;
  }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all(${OTHER_TABLES})`.execute(
    cloud.db,
  );
  const states = tables.map(({ name }) =>
    // Each use of a token is stored, a moment later.
    name === 'tokens'
      ? sql`select 'tokens' as name, count(*), md5(string_agg(
          (to_jsonb(tokens) - 'last_used_at' - 'last_used_address')::text, '' order by id)) as version from tokens`
      : sql`select ${name} as name, count(*), max(xmin::text::bigint)::text as version from ${sql.table(name)}`,
  );
  const { rows } = await sql<{ name: string }>`${sql.join(states, sql` union all `)}`.execute(cloud.db);
  return new Map(rows.map((row) => [row.name, row]));
}

it('an operation whose audit record cannot be stored changes nothing, and its answer has no reason', async () => {
  const outcomes: Record<string, unknown> = {};
  for (const { name, operation, request, caller } of CHANGES) {
    const target = await fixture.target();
    const token = await fixture.tokenOf(caller, target);
    const { params, query, ...content } = await request(target, fixture);
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
    const before = await readState();
    await sql`insert into refusals values (now())`.execute(cloud.db);
    const { status, body } = await cloud.call(`${pathOf(operation.route, params)}${search}`, {
      token,
      ...content,
    });
    await sql`delete from refusals`.execute(cloud.db);
    const after = await readState();
    const changed = [...before.keys()].filter(
      (table) => !isDeepStrictEqual(before.get(table), after.get(table)),
    );
    const text = JSON.stringify(body).replace(
      '{"message":"Internal server error"}',
      '"Internal server error"',
    );
    outcomes[name] = status < 300 ? 'done' : [status, text, changed];
  }
  const expected = CHANGES.map(({ name }) => [
    name,
    name in WITHOUT_RECORD ? 'done' : [500, '{"error":"Internal server error"}', []],
  ]);
  expect(outcomes).toEqual(Object.fromEntries(expected));
  expect(Object.keys(WITHOUT_RECORD).filter((name) => !(name in outcomes))).toEqual([]);
});
