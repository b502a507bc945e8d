import { printable, table } from '@heliograph/kit/terminal';
import type { ChaosReport } from './chaos.ts';
import type { Failure, Purpose } from './journal.ts';
import type { Load } from './load.ts';
import { failuresOf } from './verdict.ts';

const PURPOSES: readonly Purpose[] = ['read', 'read elsewhere', 'read by name', 'write', 'echo', 'authorize'];
/** So many faults are printed; a system that is down breaks every rule at once. */
const MAX_FAULTS = 30;

/** The report as lines of text. */
export function reportLines(report: ChaosReport): string[] {
  const { loads, footprints, faults } = report;
  return [
    ...killLines(report),
    '',
    ...restartLines(report),
    '',
    ...loadLines('while killing', loads.chaos),
    ...loadLines('while restarting', loads.restart),
    '',
    ...table(
      [
        { title: 'process' },
        right('MB before'),
        right('MB after'),
        right('files before'),
        right('files after'),
      ],
      footprints.before.map(({ name, residentMb, openFiles }, index) => {
        const after = footprints.after[index];
        return [
          name,
          residentMb.toFixed(0),
          (after?.residentMb ?? 0).toFixed(0),
          String(openFiles),
          String(after?.openFiles ?? 0),
        ];
      }),
    ),
    '',
    ...(faults.length === 0 ? ['No fault.'] : [`${faults.length} faults:`]),
    ...faults.slice(0, MAX_FAULTS).map((fault) => `  ${printable(fault)}`),
  ];
}

function killLines({ incidents, loads }: ChaosReport): string[] {
  const rows = incidents.map((incident) => {
    const { victim, killedAt, listeningAt, backAt } = incident;
    const failures = failuresOf(incident, incidents, loads.chaos.journal);
    return [
      victim,
      seconds(listeningAt - killedAt),
      seconds(backAt - killedAt),
      seconds(Math.max(0, backAt - listeningAt)),
      failures.length === 0 ? '' : seconds(Math.max(...failures.map(({ endedAt }) => endedAt)) - killedAt),
      counted(failures),
    ];
  });
  return table(
    [
      { title: 'killed' },
      right('listens after'),
      right('back after'),
      right('after listening'),
      right('last failure after'),
      { title: 'requests failed' },
    ],
    rows,
  );
}

function restartLines({ turns, loads }: ChaosReport): string[] {
  const rows = turns.map((turn, index) => {
    const next = turns[index + 1]?.signalledAt ?? Number.POSITIVE_INFINITY;
    const mine = loads.restart.journal.failures.filter(
      ({ endedAt }) => endedAt >= turn.signalledAt && endedAt < next,
    );
    return [
      turn.proxy,
      seconds(turn.endedAt - turn.signalledAt),
      seconds(turn.listeningAt - turn.signalledAt),
      counted(mine),
    ];
  });
  return table(
    [{ title: 'restarted' }, right('stopped after'), right('listens after'), { title: 'requests failed' }],
    rows,
  );
}

function loadLines(when: string, { journal, attempts, followers }: Load): string[] {
  const good = PURPOSES.map((purpose) => `${journal.good(purpose)} ${purpose}`).join(', ');
  const acknowledged = attempts.filter((attempt) => attempt.acknowledged).length;
  const values = followers.reduce((sum, { received }) => sum + received, 0);
  const interruptions = followers.reduce((sum, follower) => sum + follower.interruptions, 0);
  return [
    `${when}: good ${good}; ${journal.failures.length} failed`,
    `  ${attempts.length} writes, ${acknowledged} acknowledged; ${values} values streamed, ${interruptions} interruptions`,
  ];
}

/** `read 503 ×4, write 502 ×1`. */
function counted(failures: readonly Failure[]): string {
  const counts = new Map<string, number>();
  for (const { purpose, what } of failures) {
    const key = `${purpose} ${what}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  if (counts.size === 0) return 'none';
  return [...counts].map(([key, count]) => `${key} ×${count}`).join(', ');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function right(title: string): { title: string; align: 'right' } {
  return { title, align: 'right' };
}
