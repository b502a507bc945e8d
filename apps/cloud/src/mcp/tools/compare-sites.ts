import { AppError, truncate, truncateOrNull } from '@heliograph/kit';
import { status as statusTool, type Tool } from '@heliograph/mcp';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Caller } from '../../access/caller.ts';
import { readsSites } from '../../access/site-permissions.ts';
import type { SitePlatform } from '../../sites/platform.ts';
import type { SiteRoute } from '../../sites/sites/access.ts';
import { callDevice, routeTo } from '../site-calls.ts';
import { SiteId } from './site-id.ts';

const MAX_SITES = 20;

/** Problems of a site that are listed; their count is complete. */
const MAX_PROBLEMS = 3;

const numberOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });
const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const Input = Type.Object(
  {
    site_ids: Type.Array(SiteId, { minItems: 1, maxItems: MAX_SITES }),
  },
  { additionalProperties: false },
);

const Row = Type.Object({
  site_id: Type.Integer(),
  name: textOrNull('Null while the site has no name'),
  answered: Type.Boolean({
    description: 'False: the numbers are unknown, or old ones of the time read_at, and reason says why',
  }),
  reason: textOrNull('Why there are no numbers, such as that the site is offline; null when it answered'),
  read_at: textOrNull('When the hardware was last read, ISO 8601; null: unknown'),
  battery_percent: numberOrNull('State of charge over all batteries, %; null: none, or unknown'),
  battery_w: numberOrNull('Power into the batteries, W; negative: discharging'),
  pv_w: numberOrNull('Solar production, W'),
  load_w: numberOrNull('What the home uses, W'),
  grid_w: numberOrNull('Power from the grid, W; negative: to the grid'),
  pv_kwh_today: numberOrNull('Solar production since midnight at the site, kWh'),
  load_kwh_today: numberOrNull('Use of the home since midnight at the site, kWh'),
  grid_in_kwh_today: numberOrNull('Imported from the grid since midnight at the site, kWh'),
  grid_out_kwh_today: numberOrNull('Exported to the grid since midnight at the site, kWh'),
  problem_count: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'How many problems the site reports; null: unknown',
  }),
  problems: Type.Array(Type.String(), {
    maxItems: MAX_PROBLEMS,
    description: `The first ${MAX_PROBLEMS} problems in words; site_status has the others`,
  }),
});
type Row = Static<typeof Row>;

const Output = Type.Object({ sites: Type.Array(Row, { description: 'In the order of site_ids' }) });

const isStatus = Compile(statusTool.output);

/** The state of several sites side by side. */
export function compareSites(platform: SitePlatform): Tool<Caller, typeof Input, typeof Output> {
  return {
    name: 'compare_sites',
    title: 'Compare sites',
    description:
      `The current state of up to ${MAX_SITES} sites side by side, one row each: battery in %, power flows in W, energy ` +
      'of today in kWh, problems. Use it for questions over several homes, such as which of them has the lowest battery ' +
      'or any fault. Signs: grid power is positive when importing, battery power when charging. A site that is offline or ' +
      'fails is a row with a reason, and with the numbers that the cloud received last where the owner agreed to that. Unknown is null and never 0. For more of one site call site_status.',
    input: Input,
    output: Output,
    isFor: readsSites,
    run: async ({ site_ids: ids }, caller) => ({
      sites: await Promise.all([...new Set(ids)].map((id) => rowOf(platform, caller, id))),
    }),
  };
}

async function rowOf(platform: SitePlatform, caller: Caller, id: number): Promise<Row> {
  let way: SiteRoute | undefined;
  try {
    way = await routeTo(platform, caller, id);
    const answer = await callDevice(way, statusTool.name, {});
    return isStatus.Check(answer)
      ? presentStatus(id, way, answer)
      : unanswered(id, way, "The site's software is of another version: it needs an update");
  } catch (error) {
    if (error instanceof AppError && error.expose) return presentKept(id, way, error.message);
    throw error;
  }
}

function presentStatus(id: number, { name }: SiteRoute, status: Static<typeof statusTool.output>): Row {
  const { flows, battery, energy, problems } = status;
  return {
    site_id: id,
    name: truncateOrNull(name),
    answered: true,
    reason: null,
    read_at: status.read_at,
    battery_percent: battery?.state_of_charge_percent ?? null,
    battery_w: flows.battery_w,
    pv_w: flows.pv_w,
    load_w: flows.load_w,
    grid_w: flows.grid_w,
    pv_kwh_today: energy.today.pv_kwh,
    load_kwh_today: energy.today.load_kwh,
    grid_in_kwh_today: energy.today.grid_in_kwh,
    grid_out_kwh_today: energy.today.grid_out_kwh,
    problem_count: problems.length,
    problems: problems.slice(0, MAX_PROBLEMS).map(({ text }) => truncate(text)),
  };
}

/** The values that the cloud received last; those of today are of another day perhaps. */
function presentKept(id: number, way: SiteRoute | undefined, reason: string): Row {
  const newest = way?.newestValues ?? null;
  if (newest === null) return unanswered(id, way, reason);
  return {
    ...unanswered(id, way, `${reason}; the numbers are those that the cloud received at ${newest.at}`),
    read_at: newest.at,
    battery_percent: newest.state_of_charge,
    battery_w: newest.battery_power,
    pv_w: newest.pv_power,
    load_w: newest.load_power,
    grid_w: newest.grid_power,
  };
}

function unanswered(id: number, way: SiteRoute | undefined, reason: string): Row {
  return {
    site_id: id,
    name: truncateOrNull(way?.name ?? null),
    answered: false,
    reason,
    read_at: null,
    battery_percent: null,
    battery_w: null,
    pv_w: null,
    load_w: null,
    grid_w: null,
    pv_kwh_today: null,
    load_kwh_today: null,
    grid_in_kwh_today: null,
    grid_out_kwh_today: null,
    problem_count: null,
    problems: [],
  };
}
