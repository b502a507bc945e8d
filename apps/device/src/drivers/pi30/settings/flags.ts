import { quantities } from '@heliograph/metrics';
import { shownSetting } from '../../voltronic/quantities.ts';
import { wordQuery } from '../../voltronic/query.ts';
import type { CommandSetting } from '../../voltronic/setting.ts';

/** Letters of what is enabled behind `E`, of what is disabled behind `D`. */
export const QFLAG = wordQuery('QFLAG', /^E[a-z]*D[a-z]*$/);

const ENABLED = 'Enabled';
const DISABLED = 'Disabled';

/** Feeding PV into the grid; newer models have it. */
const FEED_TO_GRID = 'd';

interface Flag {
  readonly letter: string;
  readonly name: string;
  /** Whether several sources agree on the command. */
  readonly writable: boolean;
}

const FLAGS: readonly Flag[] = [
  { letter: 'j', name: 'Power saving', writable: true },
  { letter: 'b', name: 'Overload bypass', writable: true },
  { letter: 'a', name: 'Buzzer', writable: true },
  { letter: FEED_TO_GRID, name: 'Export to grid', writable: false },
  { letter: 'k', name: 'LCD returns to default page', writable: false },
  { letter: 'u', name: 'Overload restart', writable: false },
  { letter: 'v', name: 'Over temperature restart', writable: false },
  { letter: 'x', name: 'LCD backlight', writable: false },
  { letter: 'y', name: 'Alarm when primary source is interrupted', writable: false },
  { letter: 'z', name: 'Record fault code', writable: false },
];

export const FLAG_SETTINGS: readonly CommandSetting[] = FLAGS.map(({ letter, name, writable }) => ({
  quantity: writable
    ? quantities.selectSetting(name, [ENABLED, DISABLED])
    : shownSetting(name, '', 'the command for it is not confirmed'),
  query: QFLAG,
  from: `QFLAG letter ${letter}`,
  read: ([flags = '']) => flagIn(flags, letter),
  commands: new Map(
    writable
      ? [
          [ENABLED, `PE${letter}`],
          [DISABLED, `PD${letter}`],
        ]
      : [],
  ),
}));

/** Whether more than the own load is fed into the grid; undefined when the inverter does not report it. */
export function feedsGrid(flags: string | undefined): boolean | undefined {
  const value = flags === undefined ? undefined : flagIn(flags, FEED_TO_GRID);
  return value === undefined ? undefined : value === ENABLED;
}

function flagIn(flags: string, letter: string): string | undefined {
  const [enabled = '', disabled = ''] = flags.slice(1).split('D');
  if (enabled.includes(letter)) return ENABLED;
  return disabled.includes(letter) ? DISABLED : undefined;
}
