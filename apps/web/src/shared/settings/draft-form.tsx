import type { MetricDefinition, MetricValue } from '@heliograph/client';
import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsentInput } from '../browser/unsent-input.ts';
import { useFormatValue } from '../metrics/use-format-value.ts';
import type { ControlRule } from './control-rule.ts';
import { draftOf, expectedValue, payloadOf } from './drafts.ts';
import { NumberInput, SelectInput, TimeInput } from './inputs.tsx';
import { decimalOf } from './numbers.ts';
import classes from './setting-control.module.css';
import { timeStepMinutes } from './time-step.ts';
import { useRuleLabels } from './use-rule-labels.ts';
import type { WriteState } from './write-state.ts';

interface DraftFormProps {
  readonly id: string;
  readonly definition: MetricDefinition;
  readonly rule: Exclude<ControlRule, { kind: 'switch' }>;
  readonly value: MetricValue;
  readonly isDisabled: boolean;
  /** It can be typed in, and not be sent. */
  readonly isBusy: boolean;
  /** How the last change went. */
  readonly write: WriteState | undefined;
  readonly describedBy: string;
  readonly onChange: (payload: string) => void;
}

/** A setting that is typed or chosen first and then sent. Until it is edited, it follows the device. */
export function DraftForm({ id, definition, rule, value, write, onChange, ...state }: DraftFormProps) {
  const { t, i18n } = useTranslation('settings');
  const { t: ofSite } = useTranslation('site');
  const labels = useRuleLabels(definition, rule);
  const shown = useFormatValue();
  const decimal = decimalOf(i18n.language);
  const current = draftOf(rule, value, decimal);
  const [draft, setDraft] = useState<string>();
  const [isTried, setTried] = useState(false);
  const [seen, setSeen] = useState(write);
  const isSending = write?.state === 'sending';
  // The device reports the requested value, or the outcome of it: nothing is left to send.
  if (draft !== undefined && draft === current) setDraft(undefined);
  if (write !== seen) {
    setSeen(write);
    if (write?.state === 'done') setDraft(undefined);
  }

  useUnsentInput(draft !== undefined);

  const text = draft ?? current;
  const read = payloadOf(rule, text, decimal);
  const problem =
    'problem' in read && draft !== undefined && isTried ? labels.problem(read.problem) : undefined;
  const put = (next: string): void => {
    setDraft(next);
    setTried(false);
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (draft === undefined || state.isBusy || isSending) return;
    setTried(true);
    if ('problem' in read) {
      document.getElementById(id)?.focus();
      return;
    }
    const requested = draftOf(rule, expectedValue(rule, read.payload), decimal);
    setDraft(requested);
    if (requested !== current) onChange(read.payload);
  };

  const discard = (): void => {
    setDraft(undefined);
    document.getElementById(id)?.focus();
  };

  const common = {
    id,
    text,
    onText: put,
    isDisabled: state.isDisabled || isSending,
    isInvalid: problem !== undefined,
    describedBy: `${state.describedBy} ${id}-problem`,
  };
  return (
    <form className={classes.form} noValidate onSubmit={send} onBlur={() => setTried(true)}>
      {rule.kind === 'number' && (
        <NumberInput
          {...common}
          name={definition.name}
          unit={definition.unit}
          rule={rule}
          decimal={decimal}
        />
      )}
      {rule.kind === 'select' && (
        <SelectInput {...common} options={rule.options} unknown={ofSite('metrics.value.unknown')} />
      )}
      {rule.kind === 'time' && <TimeInput {...common} stepMinutes={timeStepMinutes(rule.options)} />}
      <p className={classes.problem} id={`${id}-problem`}>
        {problem}
      </p>
      {draft !== undefined && !state.isDisabled && (
        <div className={classes.actions}>
          <span className={classes.now}>{t('reported', { value: shown(value, definition.unit) })}</span>
          <div className={classes.buttons}>
            <Button variant="subtle" px="sm" disabled={isSending} onClick={discard}>
              {t('discard')}
            </Button>
            <Button type="submit" px="md" disabled={state.isBusy} loading={isSending}>
              {t('change')}
            </Button>
          </div>
        </div>
      )}
    </form>
  );
}
