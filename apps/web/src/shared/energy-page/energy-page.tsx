import type { EnergyAnswer } from '@heliograph/client';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearch } from 'wouter';
import { saveCsv } from '../browser/save-csv.ts';
import { Card } from '../components/card/card.tsx';
import { ChoiceBar } from '../components/choice/choice-bar.tsx';
import { Failure } from '../components/states/failure.tsx';
import { Placeholder } from '../components/states/placeholder.tsx';
import { EnergyBalance } from '../energy/energy-balance.tsx';
import { CurvesView } from '../energy/history-curve.tsx';
import { TodayCurves } from '../energy/today-curves.tsx';
import { useCurvesOfDate, useSiteTimeZone } from '../energy/use-curves.ts';
import { regionalTag } from '../format/region.ts';
import { useFormat } from '../format/use-format.ts';
import { useHistorySource } from '../live/history-source.tsx';
import { EnergyBars } from './energy-bars.tsx';
import { EnergyComparison } from './energy-comparison.tsx';
import { EnergyCounters } from './energy-counters.tsx';
import { energyRows } from './energy-csv.ts';
import { EnergyMoney } from './energy-money.tsx';
import classes from './energy-page.module.css';
import { energyQuery, isTooOld } from './energy-query.ts';
import {
  ENERGY_UNITS,
  type EnergySelection,
  FIRST_DATE,
  moved,
  STEP_OF,
  searchOf,
  selectionIn,
  selectionOf,
  spanOf,
  todayIn,
} from './energy-selection.ts';
import { EnergyTable } from './energy-table.tsx';
import { useSpanLabel } from './step-label.ts';

/** A time that was counted for less than this part of it is called incomplete. */
const WHOLE = 0.97;

/** The energy of a day, week, month or year of the followed site, which the address names. */
export function EnergyOfSite({ mayConfigure }: { readonly mayConfigure: boolean }) {
  const { t } = useTranslation('energy');
  const source = useHistorySource();
  const timeZone = useSiteTimeZone();
  const today = todayIn(timeZone, Date.now());
  const selection = selectionIn(useSearch(), today);
  const span = spanOf(selection);
  const isGrowing = span.to > today;
  const step = STEP_OF[selection.unit];
  const { data, error, isPending, refetch } = useQuery(energyQuery(source, { ...span, step }, isGrowing));
  if (isTooOld(error)) {
    return (
      <Stack gap="lg">
        <Text>{t('tooOld')}</Text>
        <TodayCurves />
      </Stack>
    );
  }
  return (
    <div className={classes.page}>
      <TimeChooser selection={selection} today={today} />
      {data !== undefined ? (
        <Shown answer={data} selection={selection} isGrowing={isGrowing} mayConfigure={mayConfigure} />
      ) : isPending && source !== undefined ? (
        <Placeholder height="24rem" />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
      {selection.unit === 'day' && <DayCurves date={selection.date} isToday={selection.date === today} />}
    </div>
  );
}

interface TimeChooserProps {
  readonly selection: EnergySelection;
  readonly today: string;
}

function TimeChooser({ selection, today }: TimeChooserProps) {
  const { t } = useTranslation('energy');
  const [path, navigate] = useLocation();
  const spanLabel = useSpanLabel();
  const show = (next: EnergySelection): void => navigate(`${path}?${searchOf(next)}`);
  const labels = { day: t('day'), week: t('week'), month: t('month'), year: t('year') };
  const after = moved(selection, 1);
  const lastDay = moved({ unit: 'day', date: after.date }, -1).date;
  const before = moved(selection, -1);
  return (
    <div className={classes.chooser}>
      <ChoiceBar
        label={t('length')}
        choices={ENERGY_UNITS.map((value) => ({ value, label: labels[value] }))}
        value={selection.unit}
        onChange={(unit) => show(selectionOf(unit, lastDay < today ? lastDay : today))}
      />
      <Group gap="xs" wrap="nowrap" className={classes.steps ?? ''}>
        <Button
          variant="default"
          aria-label={t('back')}
          disabled={before.date < FIRST_DATE}
          onClick={() => show(before)}
        >
          ‹
        </Button>
        <h2 className={classes.span} aria-live="polite">
          {spanLabel(selection.unit, selection.date, lastDay)}
        </h2>
        <Button
          variant="default"
          aria-label={t('forward')}
          disabled={after.date > today}
          onClick={() => show(after)}
        >
          ›
        </Button>
      </Group>
      <TextInput
        type="date"
        aria-label={t('date')}
        value={selection.date}
        min={FIRST_DATE}
        max={today}
        onChange={({ currentTarget: { value } }) => {
          if (value !== '' && value <= today && value >= FIRST_DATE) show(selectionOf(selection.unit, value));
        }}
      />
    </div>
  );
}

interface ShownProps {
  readonly answer: EnergyAnswer;
  readonly selection: EnergySelection;
  /** Whether the time is not over. */
  readonly isGrowing: boolean;
  readonly mayConfigure: boolean;
}

function Shown({ answer, selection, isGrowing, mayConfigure }: ShownProps) {
  const { t, i18n } = useTranslation('energy');
  const format = useFormat();
  const spanLabel = useSpanLabel();
  const { total, steps, since } = answer;
  const label = spanLabel(selection.unit, selection.date, moved({ ...selection, unit: 'day' }, 6).date);
  if (isUnknown(total)) {
    return (
      <>
        <Card title={t('title')}>
          <Text fw={600}>{t('none')}</Text>
          <Text c="dimmed">
            {since === null ? t('noneYet') : t('since', { date: format.date(since.slice(0, 10)) })}
          </Text>
        </Card>
        <EnergyMoney answer={answer} mayConfigure={mayConfigure} />
      </>
    );
  }
  const percent = Math.round(total.coverage * 100);
  const save = (): void => {
    const name = `heliograph-energy-${searchOf(selection).replace(/^.*=/, '')}.csv`;
    saveCsv(name, energyRows(answer), regionalTag(i18n.language));
  };
  return (
    <>
      <Card title={t('bars')}>
        <EnergyBars key={selection.date + selection.unit} steps={steps} selection={selection} label={label} />
        {total.coverage < WHOLE && (
          <Text size="sm" c="dimmed">
            {t('coverage', { percent: percent === 0 ? '< 1' : format.number(percent) })}
          </Text>
        )}
        <EnergyTable steps={steps} selection={selection} currency={answer.currency} />
        <Group justify="flex-end">
          <Button variant="subtle" onClick={save}>
            {t('save')}
          </Button>
        </Group>
      </Card>
      <EnergyBalance
        title={isGrowing ? t('sumSoFar') : t('sum')}
        solar={total.pv}
        load={total.load}
        gridIn={total.grid_in}
        gridOut={total.grid_out}
        batteryIn={total.battery_in ?? undefined}
        batteryOut={total.battery_out ?? undefined}
        shares={{ sufficiency: total.self_sufficiency, consumption: total.self_consumption }}
      />
      {answer.counters !== undefined && <EnergyCounters counters={answer.counters} />}
      <EnergyMoney answer={answer} mayConfigure={mayConfigure} />
      <EnergyComparison answer={answer} selection={selection} isGrowing={isGrowing} />
    </>
  );
}

/** Minutes of a year are known, though they round to no part of it. */
function isUnknown({ coverage, pv, load, grid_in, grid_out }: EnergyAnswer['total']): boolean {
  return coverage === 0 && [pv, load, grid_in, grid_out].every((amount) => amount === null);
}

const CURVES = [
  'total/pv_power',
  'total/load_power',
  'total/grid_power',
  'total/battery_power',
  'total/battery_state_of_charge',
];

/** Power and charge of one day. */
function DayCurves({ date, isToday }: { readonly date: string; readonly isToday: boolean }) {
  const { t } = useTranslation('site');
  const curves = useCurvesOfDate(CURVES, date, isToday);
  return (
    <Card title={t('energy.curves.title')}>
      <CurvesView {...curves} height={300} />
    </Card>
  );
}
