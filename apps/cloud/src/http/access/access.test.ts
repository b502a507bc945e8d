import { SCOPES, type Scope } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../testing/factory.ts';
import { type Answer, startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';
import { inParallel } from './engine.ts';
import { CALLERS, RULES } from './matrix.ts';
import type { Request } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { type Target, World } from './world.ts';

const ALL_SCOPES = Object.keys(SCOPES) as Scope[];
const AT_ONCE = 6;

let cloud: TestCloud;
let world: World;
let staff: TestUser;
/** What is no token any more, or never was; one guard refuses them all, so each operation meets one of them. */
let dead: readonly string[];
beforeAll(async () => {
  cloud = await startTestCloud();
  world = await World.make(cloud);
  staff = await cloud.make.user({ staff: true });
  const past = new Date(cloud.clock.now() - 1);
  dead = [
    'hga_0123456789012345678901234567890123456789012',
    await cloud.make.token(staff.id, { expiresAt: past }),
    await cloud.make.token(staff.id, { revokedAt: past }),
  ];
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

function pathOf(route: string, params: Request['params'] = {}): string {
  return route.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
}

async function ask(operation: string, target: Target, token: string | undefined): Promise<Answer> {
  const found = OPERATIONS[operation];
  if (found === undefined) throw new Error(`No operation is called ${operation}`);
  const { params, ...content } = await found.request(target, world);
  return cloud.call(pathOf(found.route, params), { token, ...content });
}

/** A refusal says why, and nothing of what it guards. */
function expectRefusal({ status, body, headers }: Answer): void {
  expect(Object.keys(body)).toEqual([status === 422 ? 'errors' : 'error']);
  expect(JSON.stringify(body)).not.toContain('example.org');
  if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
}

describe.each(RULES.map((rule, turn) => ({ ...rule, turn })))('$operation', (rule) => {
  const { operation, scopes, expected, turn } = rule;
  const [method, template = ''] = OPERATIONS[operation]?.route.split(' ') ?? [];

  it(`answers each of ${CALLERS.length} callers as it should`, async () => {
    const untouched = await world.target();
    const answers = await inParallel(CALLERS, AT_ONCE, async (caller) => {
      // Whoever is refused changes nothing, and nobody does by looking.
      const mayChange = method !== 'GET' && Number(expected[caller]) < 400;
      const target = mayChange ? await world.target() : untouched;
      const answer = await ask(operation, target, await world.tokenOf(caller, target));
      if (answer.status >= 400) expectRefusal(answer);
      return [caller, answer.status] as const;
    });
    expect(Object.fromEntries(answers)).toEqual(expected);
  });

  it('refuses a token that is none, and with a scope too few, before anything else', async () => {
    const target = await world.target();
    for (const token of [undefined, dead[turn % dead.length]]) {
      const answer = await ask(operation, target, token);
      expect(answer.status).toBe(401);
      expectRefusal(answer);
    }
    const kind = expected.session === expected.owner ? 'api' : 'session';
    const path = template.replaceAll(/\{\w+\}/g, '999999');
    const broken =
      method === 'GET' ? {} : { raw: '{"broken', headers: { 'content-type': 'application/json' } };
    const statusWith = async (granted: readonly Scope[]): Promise<number> => {
      const token = await cloud.make.token(staff.id, { kind, scopes: granted, siteId: target.siteId });
      return (await cloud.call(`${method} ${path}?limit=nonsense`, { token, ...broken })).status;
    };
    // Where a scope is wanted, all others together are not enough; where none is, any one is.
    const others = ALL_SCOPES.filter((scope) => !scopes.includes(scope));
    if (scopes.length > 0) expect(await statusWith(others)).toBe(403);
    if (expected.staff === 403 && kind !== 'session') return;
    for (const scope of scopes.length > 0 ? scopes : [ALL_SCOPES[turn % ALL_SCOPES.length] as Scope]) {
      expect([scope, await statusWith([scope])]).not.toEqual([scope, 403]);
    }
  });
});

it('knows every operation that wants a token', async () => {
  const { body } = await cloud.call<{ paths: Record<string, Record<string, { security?: unknown[] }>> }>(
    'GET /openapi.json',
  );
  const published = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security = [] }]) => security.length > 0)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const tested = new Set(Object.values(OPERATIONS).map(({ route }) => route));
  expect(published.filter((route) => !tested.has(route))).toEqual([]);
  expect(Object.keys(OPERATIONS).toSorted()).toEqual(RULES.map(({ operation }) => operation).toSorted());
});

it(`is a table of ${RULES.length * CALLERS.length} cases`, () => {
  expect(RULES.length).toBeGreaterThan(40);
});
