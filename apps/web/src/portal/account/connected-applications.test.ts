import type { Connection } from '@heliograph/client';
import { describe, expect, it } from 'vitest';
import { connectedApplications } from './connected-applications.ts';

const AT = '2026-06-01T10:00:00.000Z';

function connection(id: string, application: Partial<Connection['application']>): Connection {
  return {
    id,
    application: { name: 'Roof planner', kind: 'application', client_id: 'planner', ...application },
    organization: { id: 1, name: 'Sunrise' },
    site: { id: 7, name: 'barn' },
    scopes: ['sites:read_single'],
    created_at: AT,
    expires_at: AT,
    last_used_at: null,
    last_used_address: null,
  };
}

describe('connections by application', () => {
  it('keeps what one application was allowed together, where it was allowed last', () => {
    const groups = connectedApplications([
      connection('3', {}),
      connection('2', { name: 'Tariff', client_id: 'tariff' }),
      connection('1', {}),
    ]);
    expect(groups.map(({ name, connections }) => [name, connections.map(({ id }) => id)])).toEqual([
      ['Roof planner', ['3', '1']],
      ['Tariff', ['2']],
    ]);
  });

  it('tells an agent from an application of the same name', () => {
    const groups = connectedApplications([
      connection('2', { kind: 'agent', client_id: null }),
      connection('1', {}),
    ]);
    expect(groups.map(({ kind }) => kind)).toEqual(['agent', 'application']);
  });

  it('is empty without any', () => {
    expect(connectedApplications([])).toEqual([]);
  });
});
