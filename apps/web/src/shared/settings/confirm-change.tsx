import type { MetricDefinition } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx';
import { useDeviceLabel } from '../format/device-label.ts';
import { useLiveValue } from '../live/live-context.tsx';
import { useFormatValue } from '../metrics/use-format-value.ts';
import { ChangeSummary } from './change-summary.tsx';
import { ruleOf } from './control-rule.ts';
import { expectedValue, isOn } from './drafts.ts';

/** What somebody wants to change, and has not confirmed yet. */
export interface PendingChange {
  readonly definition: MetricDefinition;
  readonly payload: string;
}

interface ConfirmChangeProps {
  readonly change: PendingChange | undefined;
  readonly onConfirm: (change: PendingChange) => void;
  readonly onCancel: () => void;
}

/** Asks before anything is written to the hardware. */
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

/** The value that it is changed from may change meanwhile, and is shown as it is. */
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
