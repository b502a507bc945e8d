import { AUDIT_DETAILS, auditDetailsOf, type Operation, SCOPES, type Scope } from '@heliograph/contracts';
import { protocolOperations } from '@heliograph/contracts/operations/protocols';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../factory.ts';
import { inParallel } from '../in-parallel.ts';
import { type Answer, startTestCloud, type TestCloud } from '../test-cloud.ts';
import { AccessFixture, type Target } from './fixture.ts';
import { pathOf } from './requests.ts';
import type { AccessRow } from './row.ts';
import { CALLERS, ROWS } from './rows.ts';
import { undeclaredFields } from './undeclared-fields.ts';

const ALL_SCOPES = Object.keys(SCOPES) as Scope[];
const CONCURRENCY = 6;

let cloud: TestCloud;
let fixture: AccessFixture;
let staff: TestUser;
/** Invalid tokens. One guard refuses them all, so that each operation is tested with one of them. */
let invalidTokens: readonly string[];
beforeAll(async () => {
  cloud = await startTestCloud();
  fixture = await AccessFixture.make(cloud);
  staff = await cloud.make.user({ staff: true });
  const expired = new Date(cloud.clock.now() - 1);
  invalidTokens = [
    'hga_0123456789012345678901234567890123456789012',
    await cloud.make.token(staff.id, { expiresAt: expired }),
    await cloud.make.token(staff.id, { revokedAt: expired }),
  ];
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

async function call(
  { operation, request }: AccessRow,
  target: Target,
  token: string | undefined,
): Promise<Answer> {
  const { params, query, ...content } = await request(target, fixture);
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  return cloud.call(`${pathOf(operation.route, params)}${search}`, { token, ...content });
}

/** The schema of an answer; that of anything for files. */
function answerOf({ answers }: Operation, status: number): object {
  const { [status as keyof typeof answers]: schema = {} } = answers;
  return 'content' in schema ? {} : schema;
}

/** A refusal has a reason and no data of the record it protects. */
function expectRefusal({ status, body, headers }: Answer): void {
  expect(Object.keys(body)).toEqual([status === 422 && 'errors' in body ? 'errors' : 'error']);
  expect(JSON.stringify(body)).not.toContain('example.org');
  if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
}

describe.each(ROWS.map((row, turn) => ({ ...row, turn })))('$name', (row) => {
  const { operation, scopes, expected, turn } = row;
  const [method, template = ''] = operation.route.split(' ');

  it(`each of ${CALLERS.length} callers gets the status in the table, and published fields alone`, async () => {
    const untouched = await fixture.target();
    const answers = await inParallel(CALLERS, CONCURRENCY, async (caller) => {
      // Refused and reading requests change nothing, so they share a target.
      const mayChange = method !== 'GET' && Number(expected[caller]) < 400;
      const target = mayChange ? await fixture.target() : untouched;
      const answer = await call(row, target, await fixture.tokenOf(caller, target));
      if (answer.status >= 400) expectRefusal(answer);
      else expect(undeclaredFields(answerOf(operation, answer.status), answer.body)).toEqual([]);
      return [caller, answer.status] as const;
    });
    expect(Object.fromEntries(answers)).toEqual(expected);
  });

  it('an invalid token is refused with 401, a missing scope with 403, before the input is validated', async () => {
    const target = await fixture.target();
    for (const token of [undefined, invalidTokens[turn % invalidTokens.length]]) {
      const answer = await call(row, target, token);
      expect(answer.status).toBe(401);
      expectRefusal(answer);
    }
    const kind = expected.session === expected.owner ? 'api' : 'session';
    const path = template.replaceAll(/\{\w+\}/g, '999999');
    const broken =
      method === 'GET' ? {} : { raw: '{"broken', headers: { 'content-type': 'application/json' } };
    const lacksScope = async (granted: readonly Scope[]): Promise<boolean> => {
      const token = await cloud.make.token(staff.id, { kind, scopes: granted, siteId: target.siteId });
      const { status, body } = await cloud.call(`${method} ${path}?limit=nonsense`, { token, ...broken });
      // An operation without a body ignores what is sent, and may refuse the caller for another reason.
      return status === 403 && JSON.stringify(body).includes('The token lacks the scope');
    };
    // All other scopes together do not replace a required one; without a required scope any single one is enough.
    const others = ALL_SCOPES.filter((scope) => !scopes.includes(scope));
    if (scopes.length > 0) expect(await lacksScope(others)).toBe(true);
    if (expected.staff === 403 && kind !== 'session') return;
    for (const scope of scopes.length > 0 ? scopes : [ALL_SCOPES[turn % ALL_SCOPES.length] as Scope]) {
      expect([scope, await lacksScope([scope])]).toEqual([scope, false]);
    }
  });
});

it('the entry of an action has every detail that operations record with it and pages name', async () => {
  const recorded = await cloud.db.selectFrom('audit_events').select(['action', 'details']).execute();
  const undeclared = recorded.flatMap(({ action, details }) => {
    const declared: readonly string[] = auditDetailsOf(action);
    const named = Object.keys(details).filter((name) => AUDIT_DETAILS.some((detail) => detail === name));
    return named.filter((name) => !declared.includes(name)).map((name) => `${action} ${name}`);
  });
  expect(recorded.length).toBeGreaterThan(100);
  expect([...new Set(undeclared)]).toEqual([]);
});

/** Operations with a site in their path that no single permission decides about, and the reason. */
const WITHOUT_PERMISSION: Readonly<Record<string, string>> = {
  approveRecoverySession: 'requires a person first',
  declineRecoverySession: 'of the household, or of those who asked',
  endRecoverySession: 'of the household, or of those who asked',
  extendRecoverySession: 'requires a person first',
  getRecoverySession: 'of the household, or of those who asked',
  listRecoverySessionEvents: 'of the household, or of those who asked',
  listSiteRecoverySessions: 'of the household, or of those who asked',
  openRecoverySession: 'of the household, or of those who ask',
  recallSite: 'the former owner may have no role on the site',
  removeSiteMember: 'members leave without the permission to remove others',
};

it('every operation on the site in its path names the permission that callers need on it', () => {
  const unnamed = ROWS.map(({ operation }) => operation).filter(
    ({ route, permission }) => /\/sites\/\{id\}/.test(route) && permission === undefined,
  );
  expect([...new Set(unnamed.map(({ id }) => id))].sort()).toEqual(Object.keys(WITHOUT_PERMISSION));
});

it('the table has every published operation that needs a token', async () => {
  const { body } = await cloud.call<{ paths: Record<string, Record<string, { security?: unknown[] }>> }>(
    'GET /openapi.json',
  );
  const published = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security = [] }]) => security.length > 0)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  // Those of protocols have tests of their own, with the clients of these protocols.
  const tested = new Set<string>(
    [...ROWS.map(({ operation }) => operation), ...Object.values(protocolOperations)].map(
      ({ route }) => route,
    ),
  );
  expect(published.filter((route) => !tested.has(route))).toEqual([]);
});

it(`the table has ${ROWS.length * CALLERS.length} cases`, () => {
  expect(ROWS.length).toBeGreaterThan(40);
  for (const { expected } of ROWS) expect(Object.keys(expected)).toEqual(CALLERS);
  expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
});
