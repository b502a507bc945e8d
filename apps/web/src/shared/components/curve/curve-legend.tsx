import { useTranslation } from 'react-i18next';
import { DASH, formatQuantity, quantityText } from '../../format/amounts.ts';
import { useFormat } from '../../format/use-format.ts';
import classes from './curve.module.css';
import type { CurveStyle } from './curve-style.ts';
import { roundForDisplay } from './rounded.ts';
import type { CurveSeries } from './series.ts';

interface CurveLegendProps {
  readonly series: readonly CurveSeries[];
  readonly looks: readonly CurveStyle[];
  readonly hidden: ReadonlySet<string>;
  /** Each curve's value where the cursor is, else its last. */
  readonly values: readonly (number | null | undefined)[];
  readonly onToggle: (key: string) => void;
}

/** Names the curves with their values; each can be switched off and on. */
export function CurveLegend({ series, looks, hidden, values, onToggle }: CurveLegendProps) {
  const { t } = useTranslation('site');
  const format = useFormat();
  return (
    <ul className={classes.legend} aria-label={t('curve.legend')}>
      {series.map(({ key, name, unit }, index) => {
        const value = values[index];
        return (
          <li key={key}>
            <button
              type="button"
              className={classes.entry}
              aria-pressed={!hidden.has(key)}
              title={hidden.has(key) ? t('curve.show', { name }) : t('curve.hide', { name })}
              onClick={() => onToggle(key)}
            >
              <Mark look={looks[index]} />
              <span className={classes.entryName}>{name}</span>
              <span className={classes.entryValue}>
                {typeof value === 'number'
                  ? quantityText(formatQuantity(roundForDisplay(value, unit), unit, format))
                  : DASH}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Mark({ look }: { readonly look: CurveStyle | undefined }) {
  return (
    <svg className={classes.mark} viewBox="0 0 28 8" aria-hidden="true">
      <path d="M1 4h26" stroke={look?.color} strokeWidth="3" strokeDasharray={look?.dash.join(' ')} />
    </svg>
  );
}
