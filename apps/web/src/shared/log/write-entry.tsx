import type { MetricDefinition, SettingWrite } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useDeviceLabel } from '../format/device-label.ts';
import { useFormat } from '../format/use-format.ts';
import { useFormatValue } from '../metrics/use-format-value.ts';
import { reportedValue } from './logged-value.ts';
import { authorLabel, OUTCOME_TONES, outcomeLabel } from './outcome-label.ts';
import classes from './write-log.module.css';

interface WriteEntryProps {
  readonly write: SettingWrite;
  /** What the setting is; undefined for one that the device does not have any more. */
  readonly definition: MetricDefinition | undefined;
}

/** One line of the log: what, from what to what, when, by whom, and how it ended. */
export function WriteEntry({ write, definition }: WriteEntryProps) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const heading = useDeviceLabel();
  const shown = useFormatValue();
  const value = (text: string | null): string =>
    shown(reportedValue(text, definition), definition?.unit ?? '');
  return (
    <li className={classes.entry}>
      <p className={classes.what}>
        <span className={classes.name}>{definition?.name ?? write.topic}</span>
        {definition && (
          <span className={classes.device}>{heading(definition.device, definition.number)}</span>
        )}
      </p>
      <p className={classes.change}>
        {t('log.change', { from: value(write.old_value), to: value(write.new_value) })}
      </p>
      <p className={classes.outcome} data-tone={OUTCOME_TONES[write.outcome]}>
        {outcomeLabel(t, write.outcome)}
      </p>
      <p className={classes.when}>
        <time dateTime={write.at}>{format.dateTime(write.at)}</time>
        {' · '}
        {authorLabel(t, write)}
      </p>
    </li>
  );
}
