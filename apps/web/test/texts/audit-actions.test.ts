import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KNOWN_ACTIONS } from '../../src/portal/parts/audit/action-labels.ts';

it('every action that the cloud records has a label', () => {
  const source = readFileSync(join(import.meta.dirname, '../../../cloud/src/db/audit.ts'), 'utf8');
  const [, actions = ''] = /type AuditAction =([^;]+);/.exec(source) ?? [];
  const recorded = [...actions.matchAll(/'([^']+)'/g)].map(([, action = '']) => action);
  expect(recorded.length).toBeGreaterThan(0);
  expect([...KNOWN_ACTIONS].toSorted()).toEqual(recorded.toSorted());
});
