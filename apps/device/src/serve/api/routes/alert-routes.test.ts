import type { Alert, AlertRule, AlertRuleList } from '@heliograph/contracts';
import { ManualClock } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { READ_AT } from '../../../../test/serve/api/plant.ts';
import { startTestDevice, type TestDevice } from '../../../../test/serve/api/test-device.ts';

const clock = new ManualClock(READ_AT);
let device: TestDevice;
beforeAll(async () => {
  device = await startTestDevice({ clock });
});
afterAll(() => device.stop());

const get = async <T>(path: string): Promise<T> => (await device.fetch(path)).json() as Promise<T>;
const send = (method: string, path: string, body: unknown): Promise<Response> =>
  device.fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Raises an alert: the inverter reports the fault for a minute. */
function breakDown(mode = 'Fault'): void {
  for (let i = 0; i < 30; i++) {
    clock.advance(2_000);
    device.plant.publish({ 'inverter_1/device_mode': mode });
  }
}

const delivered = async (id: string): Promise<AlertRule> => {
  const { rules } = await get<AlertRuleList>('/api/v1/alert_rules');
  return rules.find((rule) => rule.id === id) as AlertRule;
};

const entry = ({ id, name, enabled, severity, condition }: AlertRule) => ({
  id,
  name,
  enabled,
  severity,
  condition,
});

describe('alerts', () => {
  it('alerts are listed, acknowledged with the name of the caller, and stay open until they clear', async () => {
    expect(await get('/api/v1/alerts')).toEqual([]);
    breakDown();
    const [alert] = await get<Alert[]>('/api/v1/alerts?open=1');
    expect(alert).toMatchObject({
      rule: 'fault',
      kind: 'complaint',
      state: 'raised',
      severity: 'critical',
      topic: 'inverter_1/device_mode',
      detail: 'Fault',
      text: 'Inverter 1 reports: Fault',
      last_at: new Date(clock.now()).toISOString(),
      cleared_at: null,
    });
    const answer = await send('PATCH', `/api/v1/alerts/${alert?.id}`, { acknowledged: true });
    expect(await answer.json()).toMatchObject({
      state: 'acknowledged',
      acknowledged_by: 'local',
      acknowledged_at: new Date(clock.now()).toISOString(),
    });
    breakDown('Line mode');
    expect(await get('/api/v1/alerts?open=1')).toHaveLength(1);
    for (let i = 0; i < 6; i++) breakDown('Line mode');
    expect(await get('/api/v1/alerts?open=1')).toEqual([]);
    expect(await get('/api/v1/alerts?limit=1')).toMatchObject([
      { state: 'cleared', acknowledged_by: 'local' },
    ]);
    expect(await get(`/api/v1/alerts?before=${alert?.id}`)).toEqual([]);
  });

  it('an alert that does not exist cannot be acknowledged', async () => {
    expect((await send('PATCH', '/api/v1/alerts/999', { acknowledged: true })).status).toBe(404);
  });

  it.each(['open=yes', 'limit=-1', 'before=x'])('a list with %s is refused', async (query) => {
    expect((await device.fetch(`/api/v1/alerts?${query}`)).status).toBe(400);
  });
});

describe('rules', () => {
  it('every built-in rule has an explanation, and none is changed', async () => {
    const { rules, warnings } = await get<AlertRuleList>('/api/v1/alert_rules');
    expect(rules.length).toBeGreaterThan(12);
    expect(
      rules.every(({ explanation, source, changed }) => explanation && source === 'built_in' && !changed),
    ).toBe(true);
    expect(warnings).toEqual([]);
    expect(rules.find(({ id }) => id === 'fault')).toMatchObject({ matching_topics: 1 });
  });

  it('a built-in rule takes other numbers, is marked, and is as delivered again when it is left out', async () => {
    const low = await delivered('battery_low');
    const changed = { ...entry(low), condition: { ...low.condition, limit: 20, clear_limit: 25 } };
    expect((await send('PUT', '/api/v1/alert_rules', { rules: [changed] })).status).toBe(200);
    expect(await delivered('battery_low')).toMatchObject({ changed: true, condition: { limit: 20 } });
    await send('PUT', '/api/v1/alert_rules', { rules: [] });
    expect(await delivered('battery_low')).toEqual(low);
    const audited = device.auditLog.recent(1);
    expect(audited).toMatchObject([
      { action: 'alert_rules.change', changes: [{ old_value: 'battery_low', new_value: null }] },
    ]);
  });

  it('a rule over an unknown topic is taken with a warning, and waits', async () => {
    const rule = {
      id: 'boiler',
      name: 'Boiler',
      enabled: true,
      severity: 'warning',
      condition: { kind: 'above', topics: ['meter_7/power'], limit: 10, for_s: 0 },
    };
    const answer = await send('PUT', '/api/v1/alert_rules', { rules: [rule] });
    expect(await answer.json()).toMatchObject({
      warnings: ['boiler waits: no topic matches meter_7/power now'],
      rules: expect.arrayContaining([
        expect.objectContaining({ id: 'boiler', source: 'owner', matching_topics: 0 }),
      ]),
    });
    await send('PUT', '/api/v1/alert_rules', { rules: [] });
  });

  const OWN = {
    id: 'mine',
    name: null,
    enabled: true,
    severity: 'warning',
    condition: { kind: 'below', topics: ['total/pv_power'], limit: 10, for_s: 60 },
  };

  it.each([
    [
      'a kind that is not for owners',
      { ...OWN, condition: { kind: 'silent', topics: ['x'], for_s: 1 } },
      'kind',
    ],
    ['no limit', { ...OWN, condition: { kind: 'above', topics: ['x'], for_s: 1 } }, 'limit'],
    ['no topics', { ...OWN, condition: { ...OWN.condition, topics: [] } }, 'topics'],
    ['no values', { ...OWN, condition: { kind: 'equals', topics: ['x'], for_s: 1 } }, 'values'],
    [
      'a limit that clears before it is met',
      { ...OWN, condition: { ...OWN.condition, clear_limit: 5 } },
      'clear_limit',
    ],
    ['fields that mean nothing', { ...OWN, condition: { ...OWN.condition, values: ['a'] } }, 'values'],
    ['too short a time', { ...OWN, condition: { kind: 'unchanged', topics: ['x'], for_s: 60 } }, 'for_s'],
  ])('a rule with %s is refused by the name of the field', async (_what, rule, field) => {
    const answer = await send('PUT', '/api/v1/alert_rules', { rules: [rule] });
    expect(answer.status).toBe(422);
    expect(Object.keys(((await answer.json()) as { errors: object }).errors)).toEqual([
      `rules.0.condition.${field}`,
    ]);
  });

  it('a built-in rule does not become another one', async () => {
    const low = entry(await delivered('battery_low'));
    for (const rule of [
      { ...low, name: 'Mine' },
      { ...low, condition: { ...low.condition, kind: 'above' } },
      { ...low, condition: { kind: 'below', topics: low.condition.topics, limit: 3, for_s: 0 } },
    ]) {
      expect((await send('PUT', '/api/v1/alert_rules', { rules: [rule] })).status).toBe(422);
    }
  });

  it('two rules of one id are refused', async () => {
    const answer = await send('PUT', '/api/v1/alert_rules', { rules: [OWN, OWN] });
    expect(await answer.json()).toEqual({ errors: { rules: ['has mine twice'] } });
  });
});
