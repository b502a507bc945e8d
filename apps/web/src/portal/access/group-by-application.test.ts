import { describe, expect, it } from 'vitest';
import { groupByApplication } from './group-by-application.ts';

function connection(id: string, client: string | null, name: string) {
  return {
    id,
    application: { name, kind: client === null ? 'agent' : 'application', client_id: client },
    organization: client === null ? null : { name: 'Planners' },
  } as const;
}

describe('groupByApplication', () => {
  it('connections of one application form one group at the place of the first', () => {
    const groups = groupByApplication([
      connection('c', 'roof', 'Roof planner'),
      connection('b', null, 'Helper'),
      connection('a', 'roof', 'Roof planner'),
    ]);
    expect(
      groups.map(({ name, kind, organization, connections }) => ({
        name,
        kind,
        organization,
        ids: connections.map(({ id }) => id),
      })),
    ).toEqual([
      { name: 'Roof planner', kind: 'application', organization: 'Planners', ids: ['c', 'a'] },
      { name: 'Helper', kind: 'agent', organization: null, ids: ['b'] },
    ]);
  });

  it('two applications of one name are two groups', () => {
    const groups = groupByApplication([connection('b', 'roof', 'Roof'), connection('a', 'other', 'Roof')]);
    expect(groups.map(({ key }) => key)).toEqual(['roof', 'other']);
  });

  it('an agent and an application of one name are two groups', () => {
    const groups = groupByApplication([connection('b', null, 'Roof'), connection('a', 'roof', 'Roof')]);
    expect(groups.map(({ kind }) => kind)).toEqual(['agent', 'application']);
  });

  it('no connections form no groups', () => {
    expect(groupByApplication([])).toEqual([]);
  });
});
