import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx';
import { useDeviceLabel } from '../format/device-label.ts';
import { useLiveValue } from '../live/live-context.tsx';
import { useFormatValue } from '../metrics/use-format-value.ts';
import type { Change } from './changes.ts';
import { ruleOf } from './control-rule.ts';
import { expectedValue, isOn } from './drafts.ts';
import classes from './review-changes.module.css';

interface ReviewChangesProps {
  /** Undefined while nothing is reviewed. */
  readonly changes: readonly Change[] | undefined;
  readonly onApply: (changes: readonly Change[]) => void;
  readonly onCancel: () => void;
}

/** Shows each change before anything is written to the hardware. */
export function ReviewChanges({ changes, onApply, onCancel }: ReviewChangesProps) {
  const { t } = useTranslation('settings');
  return (
    <ConfirmDialog
      opened={changes !== undefined}
      title={t('review.title')}
      confirmLabel={t('review.apply')}
      onConfirm={() => changes !== undefined && onApply(changes)}
      onCancel={onCancel}
    >
      <div className={classes.review}>
        <ol className={classes.changes}>
          {changes?.map((change) => (
            <ChangeRow key={change.definition.topic} {...change} />
          ))}
        </ol>
        <p className={classes.warning}>{t(changes?.length === 1 ? 'review.atOnce' : 'review.oneByOne')}</p>
      </div>
    </ConfirmDialog>
  );
}

/** The old value follows the device while the dialog is open. */
function ChangeRow({ definition, payload }: Change) {
  const { t } = useTranslation('settings');
  const shown = useFormatValue();
  const heading = useDeviceLabel();
  const live = useLiveValue(definition.topic)?.value ?? null;
  const { device, number, name, unit } = definition;
  const rule = ruleOf(definition);
  const from = rule?.kind === 'switch' ? isOn(rule, live) : live;
  const to = rule === null ? payload : expectedValue(rule, payload);
  return (
    <li>
      <p className={classes.setting}>
        <span className={classes.heading}>{heading(device, number)}</span>
        <strong>{name}</strong>
      </p>
      <dl className={classes.change}>
        <div>
          <dt>{t('confirm.now')}</dt>
          <dd>{shown(from, unit)}</dd>
        </div>
        <svg className={classes.arrow} viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 12h15M13 6l6 6-6 6" />
        </svg>
        <div className={classes.new}>
          <dt>{t('confirm.new')}</dt>
          <dd>{shown(to, unit)}</dd>
        </div>
      </dl>
    </li>
  );
}
