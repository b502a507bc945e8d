import type { SiteSummary } from '@heliograph/client';
import { csvOf } from '@heliograph/contracts/csv';
import { expect, it } from 'vitest';
import { siteRows } from './sites-csv.ts';

/** The fields that become cells. */
const SITE = {
  id: 7,
  name: 'meadow',
  state: 'offline',
  open_alerts: { count: 2, severity: 'critical' },
  last_seen_at: '2026-11-20T10:00:00.000Z',
  owner: { id: 1, email: 'ada@example.org', first_name: '=1+1', last_name: 'O"Neil, Ada', role: 'owner' },
  inverter: null,
  battery: '-LFP',
  newest_values: { at: '2026-11-20T10:00:00.000Z', pv: 12.3 },
  tags: ['south', 'yearly'],
  peak_power_kwp: 9.84,
  latitude: null,
  longitude: null,
} as unknown as SiteSummary;

it('the CSV of sites quotes texts, and has no formula and no zero for the unknown', () => {
  expect(csvOf(siteRows([SITE]))).toBe(
    'id,name,state,open_alerts,worst_severity,last_seen_at,customer,email,inverter,battery,values_at,solar_kwh,specific_yield_kwh_per_kwp,state_of_charge_percent,tags,peak_power_kwp,latitude,longitude\r\n' +
      `7,meadow,offline,2,critical,2026-11-20T10:00:00.000Z,"'=1+1 O""Neil, Ada",ada@example.org,,'-LFP,2026-11-20T10:00:00.000Z,12.3,1.25,,"south, yearly",9.84,,\r\n`,
  );
});
