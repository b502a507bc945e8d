import { DEFAULT_LIMIT, MAX_LIMIT, SettingWrite } from '@heliograph/contracts';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITE_ID, startTestCloud, type TestCloud } from '../../../../test/cloud/uplink/test-cloud.ts';
import {
  basic,
  SETTLES_BY,
  startTestDevice,
  type TestDevice,
} from '../../../../test/serve/api/test-device.ts';
import { READ_ONLY } from '../../../access/caller.ts';

const LOG = '/api/v1/settings/log';
const WRITES = 250;
const AT = Date.parse('2026-06-01T12:00:00Z');

let cloud: TestCloud;
let device: TestDevice;
beforeAll(async () => {
  cloud = await startTestCloud();
  device = await startTestDevice({ cloudUrl: cloud.url });
  device.access.site.set(SITE_ID);
  for (let n = 1; n <= WRITES; n++) {
    const id = device.writes.begin({
      at: AT + n * 1000,
      author: n % 2 === 0 ? 'local' : 'user 12',
      via: n % 2 === 0 ? 'lan' : 'proxy',
      topic: 'inverter_1/max_charge_current',
      oldValue: n === 1 ? null : String(n - 1),
      newValue: String(n),
    });
    if (n < WRITES) device.writes.finish(id, { outcome: 'ok', reason: null, isSent: true });
  }
});
afterAll(async () => {
  await device.stop();
  await cloud.stop();
});

const read = async (query = '', authorization?: string) => {
  const answer = await device.fetch(
    LOG + query,
    authorization === undefined ? {} : { headers: { authorization } },
  );
  return { status: answer.status, body: (await answer.json()) as SettingWrite[] & { error?: string } };
};

describe('GET /api/v1/settings/log', () => {
  it('the newest writes come first', async () => {
    const { status, body } = await read('?limit=2');
    expect([status, body]).toEqual([
      200,
      [
        {
          id: WRITES,
          at: '2026-06-01T12:04:10.000Z',
          author: 'local',
          via: 'lan',
          topic: 'inverter_1/max_charge_current',
          old_value: '249',
          new_value: '250',
          outcome: 'unknown',
          reason: null,
          settled_at: null,
          pending: true,
          settles_by: SETTLES_BY,
          also_changed: [],
        },
        {
          id: WRITES - 1,
          at: '2026-06-01T12:04:09.000Z',
          author: 'user 12',
          via: 'proxy',
          topic: 'inverter_1/max_charge_current',
          old_value: '248',
          new_value: '249',
          outcome: 'ok',
          reason: null,
          settled_at: null,
          pending: false,
          settles_by: null,
          also_changed: [],
        },
      ],
    ]);
  });

  it('the log is read page by page, no entry twice and none left out', async () => {
    const seen: SettingWrite[] = [];
    for (let page = await read(); page.body.length > 0; page = await read(`?before=${seen.at(-1)?.id}`)) {
      expect(page.body.length).toBeLessThanOrEqual(DEFAULT_LIMIT);
      seen.push(...page.body);
    }
    expect(seen.map(({ id }) => id)).toEqual(Array.from({ length: WRITES }, (_, n) => WRITES - n));
    expect(Value.Check(Type.Array(SettingWrite), seen)).toBe(true);
    expect(seen.at(-1)?.old_value).toBeNull();
  });

  it.each([
    ['?limit=1000000', MAX_LIMIT],
    ['?limit=0', 0],
    ['?before=1', 0],
    ['?before=999999999999999&limit=3', 3],
  ])('a request with %s is answered %d', async (query, count) => {
    expect((await read(query)).body).toHaveLength(count);
  });

  it.each([
    '?limit=-1',
    '?limit=many',
    '?limit=',
    '?limit=1.5',
    '?before=1e3',
    '?before=0x10',
    '?limit=1&limit=2',
  ])('the log is refused to %s', async (query) => {
    const { status, body } = await read(query);
    expect([status, body]).toEqual([400, { error: expect.stringMatching(/limit|before/) }]);
  });

  it('the log is for callers that may change settings', async () => {
    expect((await read('', `Bearer ${await cloud.siteToken()}`)).status).toBe(200);
    expect(await read('', `Bearer ${await cloud.siteToken({ access: 'read' })}`)).toEqual({
      status: 403,
      body: { error: READ_ONLY },
    });
    expect((await read('', basic('wrong', 'admin'))).status).toBe(401);
    expect((await fetch(device.api.url + LOG)).status).toBe(401);
  });
});
