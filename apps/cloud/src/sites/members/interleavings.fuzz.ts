import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

/** Enough for a slow machine. */
const PATIENCE_MS = 600_000;

let cloud: TestCloud;
let people: TestUser[];
beforeAll(async () => {
  cloud = await startTestCloud();
  people = await Promise.all([
    cloud.make.user(),
    cloud.make.user(),
    cloud.make.user(),
    cloud.make.user(),
    cloud.make.user({ staff: true }),
  ]);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const anyone = fc.nat({ max: 4 });
const role = fc.constantFrom('owner', 'admin', 'member');
const step = fc.oneof(
  fc.record({ kind: fc.constant('invite' as const), caller: anyone, target: anyone, role }),
  fc.record({ kind: fc.constant('change' as const), caller: anyone, target: anyone, role }),
  fc.record({ kind: fc.constant('remove' as const), caller: anyone, target: anyone }),
  fc.record({ kind: fc.constant('list' as const), caller: anyone }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Listed {
  readonly id: number;
  readonly role: string;
}

function take(site: number, action: Step) {
  const route = `/api/v1/sites/${site}/users`;
  const token = people[action.caller]?.token;
  if (action.kind === 'list') return cloud.call<Listed[]>(`GET ${route}`, { token });
  const target = people[action.target];
  if (action.kind === 'remove') return cloud.call<Listed[]>(`DELETE ${route}/${target?.id}`, { token });
  const { kind, role } = action;
  if (kind === 'invite')
    return cloud.call<Listed[]>(`POST ${route}`, {
      token,
      body: { email: target?.email, role, first_name: 'A', last_name: 'B' },
    });
  return cloud.call<Listed[]>(`PATCH ${route}/${target?.id}`, { token, body: { role } });
}

/** Roles in the database. Fails if the owner has a second role. */
async function rolesNow(site: number): Promise<Map<number, string>> {
  const { owner_id } = await cloud.db
    .selectFrom('sites')
    .select('owner_id')
    .where('id', '=', site)
    .executeTakeFirstOrThrow();
  const members = await cloud.db
    .selectFrom('site_members')
    .select(['user_id', 'role'])
    .where('site_id', '=', site)
    .execute();
  expect(members.map(({ user_id }) => user_id)).not.toContain(owner_id);
  return new Map<number, string>([
    [owner_id, 'owner'],
    ...members.map((row) => [row.user_id, row.role] as const),
  ]);
}

/** Roles according to the audit records. Fails if a record does not start from the state after the one before. */
async function rolesRecorded(site: number, start: Map<number, string>): Promise<Map<number, string>> {
  const roles = new Map(start);
  const records = await cloud.db
    .selectFrom('audit_events')
    .select(['action', 'user_id', 'details'])
    .where('site_id', '=', site)
    .orderBy('id')
    .execute();
  for (const { action, user_id, details } of records) {
    const id = Number(user_id);
    if (action === 'site.ownership_transferred') {
      expect(roles.get(Number(details.from))).toBe('owner');
      expect(roles.get(id) ?? null).toBe(details.former_role);
      roles.set(Number(details.from), 'admin').set(id, 'owner');
    } else {
      if (action === 'site_member.accepted') continue;
      expect(roles.get(id) ?? null).toBe(details.from);
      if (details.to === null) roles.delete(id);
      else roles.set(id, String(details.to));
    }
  }
  return roles;
}

it(
  'a site keeps one owner and records every change under concurrent calls',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
        async (rounds) => {
          const [owner, admin, member] = people;
          const { id: site } = await cloud.make.site({ ownerId: owner?.id ?? 0 });
          await cloud.make.member(site, admin?.id ?? 0, 'admin');
          await cloud.make.member(site, member?.id ?? 0, 'member');
          const start = await rolesNow(site);
          for (const steps of rounds) {
            const answers = await Promise.all(steps.map((action) => take(site, action)));
            for (const [i, { status, body }] of answers.entries()) {
              const { kind } = steps[i] ?? { kind: 'list' };
              expect([kind === 'remove' ? 204 : 200, 403, 404]).toContain(status);
              if (kind !== 'list' || status !== 200) continue;
              expect(body.filter(({ role }) => role === 'owner')).toHaveLength(1);
              expect(new Set(body.map(({ id }) => id)).size).toBe(body.length);
            }
            expect(await rolesRecorded(site, start)).toEqual(await rolesNow(site));
          }
        },
      ),
      { numRuns: 25 },
    );
  },
  PATIENCE_MS,
);
