import type { EnergyAnswer } from '@heliograph/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { DASH, quantityText } from '../format/amounts.ts';
import { useFormat } from '../format/use-format.ts';
import { useHistorySource } from '../live/history-source.tsx';
import { COMPARED, comparisonOf } from './comparison.ts';
import classes from './energy-page.module.css';
import { energyQuery } from './energy-query.ts';
import { type EnergySelection, moved, STEP_OF, spanOf } from './energy-selection.ts';

interface EnergyComparisonProps {
  readonly answer: EnergyAnswer;
  readonly selection: EnergySelection;
  readonly isGrowing: boolean;
}

/** The energy beside that of the time before; of a time that is not over, beside the same hours, days or months of the one before. */
export function EnergyComparison({ answer, selection, isGrowing }: EnergyComparisonProps) {
  const { t } = useTranslation('energy');
  const format = useFormat();
  const source = useHistorySource();
  const span = spanOf(moved(selection, -1));
  const step = STEP_OF[selection.unit];
  const { data } = useQuery(energyQuery(source, { ...span, step }, false));
  if (data === undefined || data.total.coverage === 0) return null;
  const compared = comparisonOf(selection.unit, answer, data, Date.now());
  if (compared === undefined) return null;
  const names = { pv: t('solar'), load: t('load'), grid_in: t('imported'), grid_out: t('exported') };
  const rows = COMPARED.map((field) => ({
    field,
    now: compared.now[field],
    before: compared.before[field],
  })).filter(({ now, before }) => now !== null || before !== null);
  const kwh = (value: number | null): string => (value === null ? DASH : quantityText(format.energy(value)));
  return (
    <Card title={t('comparison')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: a table that scrolls must be reached with the keys */}
      <div className={classes.scroll} role="group" tabIndex={0} aria-label={t('comparison')}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('energy')}</th>
              <th scope="col">{isGrowing ? t('soFar') : t('thisTime')}</th>
              <th scope="col">{isGrowing ? t('sameBefore') : t('before')}</th>
              <th scope="col">{t('change')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ field, now, before }) => (
              <tr key={field}>
                <th scope="row">{names[field]}</th>
                <td>{kwh(now)}</td>
                <td>{kwh(before)}</td>
                <td>{changeText(now, before, format.number)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

/** A change from next to nothing would be thousands of percent. */
const MIN_KWH = 0.1;

function changeText(now: number | null, before: number | null, number: (value: number) => string): string {
  if (now === null || before === null || before < MIN_KWH) return DASH;
  // A small decrease rounds to minus zero.
  const percent = Math.round((now / before - 1) * 100) || 0;
  return `${percent > 0 ? '+' : ''}${number(percent)} %`;
}
