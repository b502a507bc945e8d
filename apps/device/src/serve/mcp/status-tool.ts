import { wallAt } from '@heliograph/kit';
import { IDLE_BELOW_W, MAX_UNITS, status, type Tool } from '@heliograph/mcp';
import { isUnitKind } from '@heliograph/metrics';
import type { Static } from 'typebox';
import type { Caller } from '../../access/caller.ts';
import { localIso } from '../../common/local-time.ts';
import { energyStatus } from './energy-status.ts';
import { withProblemStarts } from './problem-start.ts';
import { problemsIn } from './problems.ts';
import type { SiteSources } from './site-sources.ts';
import { lastReadAt, SnapshotValues } from './snapshot-values.ts';
import { TolerantHistory } from './tolerant-history.ts';
import { batteryStatus, inverterStatus, otherStatus } from './unit-status.ts';

type Status = Static<typeof status.output>;

/** A site in one call. */
export function statusTool(
  sources: Omit<SiteSources, 'energy' | 'alerts' | 'writes'>,
): Tool<Caller, typeof status.input, typeof status.output> {
  const { snapshots, clock, calendar, energyToday, startedAtMonotonicMs } = sources;
  const formatTime = (atMs: number): string => localIso(atMs, calendar.timeZone);
  return {
    ...status,
    isFor: () => true,
    async run() {
      const values = new SnapshotValues(snapshots.current);
      const nowMs = clock.now();
      const inverters = values.devices('inverters');
      const batteries = values.devices('batteries');
      const others = (['meters', 'chargers', 'generators'] as const).flatMap((kind) => values.devices(kind));
      const hardware = values.samples().filter(({ definition: { device, group } }) => {
        return isUnitKind(device) && group !== 'Info';
      });
      const readAt = lastReadAt(hardware);
      const history = new TolerantHistory(sources.history);
      const problems = await withProblemStarts(problemsIn(values), history, nowMs);
      const energy = energyStatus(values, { history, clock, calendar, energyToday }, formatTime);
      return {
        site_id: values.number('system/site_id'),
        time: formatTime(nowMs),
        time_zone: calendar.timeZone,
        running_since: formatTime(wallAt(clock, startedAtMonotonicMs)),
        read_at: readAt === undefined ? null : formatTime(readAt),
        flows: flowsOf(values),
        battery: batteryOf(values),
        energy,
        inverters: inverters.slice(0, MAX_UNITS).map((device) => inverterStatus(device, values, formatTime)),
        batteries: batteries.slice(0, MAX_UNITS).map((device) => batteryStatus(device, values, formatTime)),
        others: others.slice(0, MAX_UNITS).map((device) => otherStatus(device, values, formatTime)),
        units_left_out: [inverters, batteries, others]
          .map(({ length }) => Math.max(0, length - MAX_UNITS))
          .reduce((sum, count) => sum + count, 0),
        problems: [...problems, ...history.problems].map(({ sinceMs, ...problem }) => ({
          ...problem,
          since: sinceMs === undefined ? null : formatTime(sinceMs),
        })),
      };
    },
  };
}

function flowsOf(values: SnapshotValues): Status['flows'] {
  const gridW = values.number('total/grid_power');
  return {
    pv_w: values.number('total/pv_power'),
    load_w: values.number('total/load_power'),
    grid_w: gridW,
    grid: toOutput(gridW, 'importing', 'exporting'),
    battery_w: values.number('total/battery_power'),
    generator_w: values.number('total/generator_power'),
  };
}

function batteryOf(values: SnapshotValues): Status['battery'] {
  const isThere =
    values.devices('batteries').length > 0 ||
    values.has('total/battery_power') ||
    values.has('total/battery_state_of_charge');
  if (!isThere) return null;
  const powerW = values.number('total/battery_power');
  return {
    state_of_charge_percent: values.number('total/battery_state_of_charge'),
    state: toOutput(powerW, 'charging', 'discharging'),
    power_w: powerW,
    voltage_v: values.number('total/battery_voltage'),
    temperature_c: values.number('total/battery_temperature'),
  };
}

function toOutput<In extends string, Out extends string>(
  powerW: number | null,
  positive: In,
  negative: Out,
): In | Out | 'idle' | null {
  if (powerW === null) return null;
  if (Math.abs(powerW) < IDLE_BELOW_W) return 'idle';
  return powerW > 0 ? positive : negative;
}
