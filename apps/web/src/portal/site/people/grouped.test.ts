import { expect, it } from 'vitest';
import { groupedByApplication, type SiteConnection } from './grouped.ts';

function connection(id: string, client: string | null, name: string): SiteConnection {
  return {
    id,
    application: { name, kind: client === null ? 'agent' : 'application', client_id: client },
    organization: client === null ? null : { id: 1, name: 'Planners' },
    scopes: ['sites:read_single'],
    created_at: '2026-11-01T00:00:00.000Z',
    expires_at: '2026-11-08T00:00:00.000Z',
    last_used_at: null,
    last_used_address: null,
    user: { id: 1, email: 'ada@example.org', first_name: 'Ada', last_name: 'Example' },
  };
}

it('puts together what is of one application, in the order of the newest', () => {
  const groups = groupedByApplication([
    connection('c', 'roof', 'Roof planner'),
    connection('b', null, 'Helper'),
    connection('a', 'roof', 'Roof planner'),
    // Another one by the same name.
    connection('0', 'other', 'Roof planner'),
  ]);
  expect(
    groups.map(({ name, organization, connections }) => [
      name,
      organization,
      connections.map(({ id }) => id),
    ]),
  ).toEqual([
    ['Roof planner', 'Planners', ['c', 'a']],
    ['Helper', null, ['b']],
    ['Roof planner', 'Planners', ['0']],
  ]);
});
