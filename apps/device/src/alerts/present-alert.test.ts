import type { ConditionKind } from '@heliograph/contracts';
import { describe, expect, it } from 'vitest';
import type { StoredAlert } from './alert-store.ts';
import { presentAlert } from './present-alert.ts';

const ALERT: StoredAlert = {
  id: 1,
  revision: 1,
  rule: 'mine',
  kind: 'below',
  severity: 'warning',
  topic: 'total/pv_power',
  name: 'PV power',
  detail: null,
  value: 1.23456,
  limit: 2,
  unit: 'kW',
  since: 0,
  raisedAt: 0,
  lastAt: 0,
  clearedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  times: 1,
};

it.each<[Partial<StoredAlert>, string]>([
  [{}, 'The home: PV power is 1.235 kW, below 2 kW'],
  [
    { topic: 'system/free_storage', name: 'Free storage', value: 150, limit: 200, unit: 'MB' },
    'The device: Free storage is 150 MB, below 200 MB',
  ],
  [{ topic: 'meter_2/factor', name: 'Factor', unit: '' }, 'Meter 2: Factor is 1.235, below 2'],
  [
    { kind: 'equals', topic: 'inverter_1/mode', name: 'Mode', value: 'Off', unit: '' },
    'Inverter 1: Mode is Off',
  ],
  [{ kind: 'equals', topic: 'inverter_1/mode', name: 'Mode', value: null }, 'Inverter 1: Mode is '],
  // Of a newer release, which ran here before.
  [{ kind: 'arc' as ConditionKind, name: 'Arc on string 2' }, 'Arc on string 2'],
  [{ kind: 'arc' as ConditionKind, name: null }, 'mine'],
])('the alert %j reads: %s', (changes, text) => {
  expect(presentAlert({ ...ALERT, ...changes }).text).toBe(text);
});

describe('the state', () => {
  it.each<[string, Partial<StoredAlert>]>([
    ['raised', {}],
    ['acknowledged', { acknowledgedAt: 1 }],
    ['cleared', { clearedAt: 1 }],
    ['cleared', { acknowledgedAt: 1, clearedAt: 1 }],
  ])('an alert is %s with %j', (state, changes) => {
    expect(presentAlert({ ...ALERT, ...changes }).state).toBe(state);
  });
});
