import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/format/use-format.ts';
import classes from './links.module.css';

interface LinkStateProps {
  readonly tone: 'good' | 'waiting' | 'bad';
  readonly label: string;
  /** ISO 8601; null where it is not known. */
  readonly since: string | null;
}

/** How a connection does, in words, with a shape of its own for each tone beside them. */
export function LinkState({ tone, label, since }: LinkStateProps) {
  const { t } = useTranslation('configuration');
  const format = useFormat();
  return (
    <p className={classes.state} data-tone={tone}>
      <span className={classes.sign} aria-hidden="true">
        {{ good: '✓', waiting: '…', bad: '!' }[tone]}
      </span>
      <span>
        {label}
        {since !== null && (
          <span className={classes.since} title={format.dateTime(since)}>
            {` ${t('links.since', { time: format.dateTime(since) })}`}
          </span>
        )}
      </span>
    </p>
  );
}
