import type { MetricDefinition } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx';
import { useDeviceLabel } from '../format/device-label.ts';
import { useLiveValue } from '../live/live-context.tsx';
import { useFormatValue } from '../metrics/use-format-value.ts';
import classes from './change-summary.module.css';
import { ruleOf } from './control-rule.ts';
import { expectedValue, isOn } from './drafts.ts';

interface ConfirmChangeProps {
  readonly change: PendingChange | undefined;
  readonly onConfirm: (change: PendingChange) => void;
  readonly onCancel: () => void;
}

/** Requires a confirmation before anything is written to the hardware. */
export function ConfirmChange({ change, onConfirm, onCancel }: ConfirmChangeProps) {
  const { t } = useTranslation('settings');
  return (
    <ConfirmDialog
      opened={change !== undefined}
      title={t('confirm.title')}
      confirmLabel={t('confirm.button')}
      onConfirm={() => change !== undefined && onConfirm(change)}
      onCancel={onCancel}
    >
      {change !== undefined && <Summary {...change} />}
    </ConfirmDialog>
  );
}

interface ChangeSummaryProps {
  /** The device of the setting: "Inverter 1". */
  readonly heading: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** The effect of a change, to be confirmed. */
function ChangeSummary({ heading, name, from, to }: ChangeSummaryProps) {
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

/** A change that has not been confirmed yet. */
export interface PendingChange {
  readonly definition: MetricDefinition;
  readonly payload: string;
}

/** The old value follows the device while the dialog is open. */
function Summary({ definition, payload }: PendingChange) {
  const shown = useFormatValue();
  const heading = useDeviceLabel();
  const live = useLiveValue(definition.topic)?.value ?? null;
  const { device, number, name, unit } = definition;
  const rule = ruleOf(definition);
  const from = rule?.kind === 'switch' ? isOn(rule, live) : live;
  const to = rule === null ? payload : expectedValue(rule, payload);
  return (
    <ChangeSummary
      heading={heading(device, number)}
      name={name}
      from={shown(from, unit)}
      to={shown(to, unit)}
    />
  );
}
