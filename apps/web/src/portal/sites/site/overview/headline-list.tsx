import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { directionOf, type Headline } from './headline.ts';
import classes from './headline-list.module.css';

const GRID_LABELS = { in: 'headline.fromGrid', out: 'headline.toGrid', still: 'headline.grid' } as const;
const BATTERY_LABELS = {
  in: 'headline.charging',
  out: 'headline.discharging',
  still: 'headline.battery',
} as const;

/** Powers and charge of a site. */
export function HeadlineList({ headline, isOld }: { readonly headline: Headline; readonly isOld: boolean }) {
  const { t } = useTranslation('sites');
  const { solar, load, grid, battery, stateOfCharge } = headline;
  return (
    <dl className={classes.values} data-old={isOld || undefined}>
      <Power label={t('headline.solar')} watts={solar} tone="solar" />
      <Power label={t('headline.load')} watts={load} tone="load" />
      <Power label={t(GRID_LABELS[directionOf(grid ?? null)])} watts={grid} tone="grid" />
      <Power label={t(BATTERY_LABELS[directionOf(battery ?? null)])} watts={battery} tone="battery" />
      <Percent label={t('headline.stateOfCharge')} percent={stateOfCharge} />
    </dl>
  );
}

interface PowerProps {
  readonly label: string;
  /** Undefined for what the site does not have, null for what is unknown. */
  readonly watts: number | null | undefined;
  readonly tone: 'solar' | 'load' | 'grid' | 'battery';
}

function Power({ label, watts, tone }: PowerProps) {
  const { power } = useFormat();
  if (watts === undefined) return null;
  const shown = watts === null ? undefined : power(Math.abs(watts));
  return (
    <div className={classes.value} data-tone={tone}>
      <dt>{label}</dt>
      <dd translate="no">{shown === undefined ? '–' : `${shown.number} ${shown.unit}`}</dd>
    </div>
  );
}

function Percent({
  label,
  percent,
}: {
  readonly label: string;
  readonly percent: number | null | undefined;
}) {
  const { number } = useFormat();
  if (percent === undefined) return null;
  return (
    <div className={classes.value} data-tone="battery">
      <dt>{label}</dt>
      <dd translate="no">{percent === null ? '–' : `${number(Math.round(percent))} %`}</dd>
    </div>
  );
}
