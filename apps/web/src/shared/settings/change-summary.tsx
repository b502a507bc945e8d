import { useTranslation } from 'react-i18next';
import classes from './change-summary.module.css';

interface ChangeSummaryProps {
  /** What has the setting: "Inverter 1". */
  readonly heading: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** What a change will do, for somebody to confirm. */
export function ChangeSummary({ heading, name, from, to }: ChangeSummaryProps) {
  const { t } = useTranslation('settings');
  return (
    <div className={classes.summary}>
      <p className={classes.setting}>
        <span className={classes.heading}>{heading}</span>
        <strong>{name}</strong>
      </p>
      <dl className={classes.change}>
        <div>
          <dt>{t('confirm.now')}</dt>
          <dd>{from}</dd>
        </div>
        <svg className={classes.arrow} viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 12h15M13 6l6 6-6 6" />
        </svg>
        <div className={classes.new}>
          <dt>{t('confirm.new')}</dt>
          <dd>{to}</dd>
        </div>
      </dl>
      <p className={classes.warning}>{t('confirm.atOnce')}</p>
    </div>
  );
}
