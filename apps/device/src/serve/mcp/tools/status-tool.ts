import type { HistoryAnswer } from '@heliograph/contracts';
import { AppError, wallAt } from '@heliograph/kit';
import { IDLE_BELOW_W, MAX_UNITS, status, type Tool } from '@heliograph/mcp';
import { defineMetric, isUnitKind, quantities } from '@heliograph/metrics';
import type { Static } from 'typebox';
import type { Caller } from '../../../access/caller.ts';
import { DAY_MS, localIso } from '../../../common/local-time.ts';
import { type EnergyPeriod, periodStart } from '../../../energy/period.ts';
import type { HistorySource } from '../../../history/history.ts';
import type { HistoryRequest } from '../../../history/reading/plan.ts';
import { roundKwh } from '../counted-energy.ts';
import type { SiteSources } from '../site-sources.ts';
import { lastReadAt, SnapshotValues } from '../snapshot-values.ts';
import { type Problem, problemsIn } from './problems.ts';
import { batteryStatus, type FormatTime, inverterStatus, otherStatus } from './unit-status.ts';

type Energy = Static<typeof status.output>['energy'];
type Counted = Omit<Energy['today'], 'since'>;

const COUNTERS = {
  pv_kwh: 'PV energy',
  load_kwh: 'Load energy',
  battery_in_kwh: 'Battery energy in',
  battery_out_kwh: 'Battery energy out',
  grid_in_kwh: 'Grid energy in',
  grid_out_kwh: 'Grid energy out',
} satisfies Record<keyof Counted, string>;

/**
 * The energy of the current period and that of today. Neither began before the device was there: its first day is not a
 * whole one.
 */
function energyStatus(
  values: SnapshotValues,
  {
    history,
    clock,
    calendar,
    energyToday,
  }: Pick<SiteSources, 'clock' | 'calendar' | 'energyToday'> & {
    readonly history: Pick<SiteSources['history'], 'since'>;
  },
  formatTime: FormatTime,
): Energy {
  const { timeZone, energyPeriod: name } = calendar;
  const nowMs = clock.now();
  const since = (period: EnergyPeriod) =>
    formatTime(Math.max(history.since() ?? 0, periodStart(nowMs, timeZone, period)));
  const period = { since: since(name), ...energies((counter) => values.number(topicOf(counter))) };
  if (name === 'daily') return { today: period, period: { name, ...period } };
  const today = energyToday();
  return {
    today: { since: since('daily'), ...energies((counter) => rounded(today.get(counter))) },
    period: { name, ...period },
  };
}

function topicOf(counter: string): string {
  return defineMetric('totals', null, quantities.periodEnergy(counter)).topic;
}

function rounded(kwh: number | null | undefined): number | null {
  return typeof kwh === 'number' ? roundKwh(kwh) : null;
}

function energies(of: (counter: string) => number | null): Counted {
  const entries = Object.entries(COUNTERS).map(([field, counter]) => [field, of(counter)] as const);
  return Object.fromEntries(entries) as Counted;
}

/** A history that is empty while it cannot be read, and reports that as a problem: the present values are answered all the same. */
class TolerantHistory implements Pick<HistorySource, 'read' | 'since'> {
  readonly #history: HistorySource;
  #failure: string | undefined;

  constructor(history: HistorySource) {
    this.#history = history;
  }

  /** Why what was read is not all there is. */
  get problems(): readonly Problem[] {
    if (this.#failure === undefined) return [];
    return [{ device: 'system', kind: 'history', sinceMs: undefined, text: this.#failure, topics: [] }];
  }

  since(): number | undefined {
    try {
      return this.#history.since();
    } catch (error) {
      this.#note(error);
      return undefined;
    }
  }

  async read(request: HistoryRequest): Promise<HistoryAnswer> {
    try {
      return await this.#history.read(request);
    } catch (error) {
      this.#note(error);
      return { from: 0, to: 0, step: 0, series: [], states: [] };
    }
  }

  #note(error: unknown): void {
    if (!(error instanceof AppError)) throw error;
    this.#failure = error.message;
  }
}

/** How far back is looked for when the hardware began to complain, in milliseconds. */
const LOOK_BACK_MS = 30 * DAY_MS;

/** The problems with when each complaint began, where the history has seen it begin. */
async function withProblemStarts(
  problems: readonly Problem[],
  history: Pick<HistorySource, 'read'>,
  nowMs: number,
): Promise<readonly Problem[]> {
  const topics = new Set(problems.flatMap((problem) => (problem.kind === 'fault' ? problem.topics : [])));
  if (topics.size === 0) return problems;
  const fromMs = nowMs - LOOK_BACK_MS;
  const began = await latestChanges(history, topics, fromMs, nowMs);
  return problems.map((problem) => {
    const atMs = problem.kind === 'fault' ? began.get(problem.topics[0] ?? '') : undefined;
    return atMs === undefined || atMs <= fromMs ? problem : { ...problem, sinceMs: atMs };
  });
}

async function latestChanges(
  history: Pick<HistorySource, 'read'>,
  topics: ReadonlySet<string>,
  fromMs: number,
  toMs: number,
): Promise<ReadonlyMap<string, number>> {
  const matches = (topic: string): boolean => topics.has(topic);
  // Texts have no steps, which are what an answer may have too many of.
  const { states } = await history.read({ matches, fromMs, toMs, stepMs: DAY_MS });
  return new Map(
    states.flatMap(({ topic, times }) => {
      const changedAt = times.at(-1);
      return changedAt === undefined ? [] : [[topic, changedAt * 1000] as const];
    }),
  );
}

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
