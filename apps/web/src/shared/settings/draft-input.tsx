import type { MetricDefinition, MetricValue } from '@heliograph/client';
import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormatValue } from '../metrics/use-format-value.ts';
import type { ControlRule } from './control-rule.ts';
import { draftOf, payloadOf } from './drafts.ts';
import { NumberInput, SelectInput, TimeInput } from './inputs.tsx';
import { decimalOf } from './numbers.ts';
import classes from './setting-control.module.css';
import { timeStepMinutes } from './time-step.ts';
import { useRuleLabels } from './use-rule-labels.ts';
import { useSettingNames } from './use-setting-names.ts';

interface DraftInputProps {
  readonly id: string;
  readonly definition: MetricDefinition;
  readonly rule: Exclude<ControlRule, { kind: 'switch' }>;
  readonly value: MetricValue;
  /** The text that was typed or chosen; undefined: the control follows the device. */
  readonly draft: string | undefined;
  /** In place of the value, until it has arrived. */
  readonly placeholder?: string;
  readonly isDisabled: boolean;
  /** Whether drafts that cannot be sent say so, also while they are typed. */
  readonly isChecked: boolean;
  readonly describedBy: string;
  readonly onDraft: (text: string | undefined) => void;
  readonly onReview: () => void;
}

/** A setting that is typed or chosen. Until it is edited, it follows the device. */
export function DraftInput(props: DraftInputProps) {
  const { id, definition, rule, value, draft, isDisabled, isChecked, describedBy, onDraft, onReview } = props;
  const { placeholder } = props;
  const { t, i18n } = useTranslation('settings');
  const { t: ofSite } = useTranslation('site');
  const { nameOf, optionOf } = useSettingNames();
  const labels = useRuleLabels(definition, rule);
  const shown = useFormatValue();
  const decimal = decimalOf(i18n.language);
  const current = draftOf(rule, value, decimal);
  const [isLeft, setLeft] = useState(false);
  // The device reports the requested value: nothing is left to apply.
  useEffect(() => {
    if (draft !== undefined && draft === current) onDraft(undefined);
  }, [draft, current, onDraft]);

  const text = draft ?? current;
  const read = payloadOf(rule, text, decimal);
  const isShown = draft !== undefined && (isLeft || isChecked);
  const problem = 'problem' in read && isShown ? labels.problem(read.problem) : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setLeft(true);
    onReview();
  };
  const discard = (): void => {
    onDraft(undefined);
    document.getElementById(id)?.focus();
  };
  const common = {
    id,
    text,
    onText: (next: string) => {
      setLeft(false);
      onDraft(next);
    },
    isDisabled,
    isInvalid: problem !== undefined,
    describedBy: `${describedBy} ${id}-problem`,
  };
  return (
    <form className={classes.form} noValidate onSubmit={submit} onBlur={() => setLeft(true)}>
      {rule.kind === 'number' && (
        <NumberInput
          {...common}
          name={nameOf(definition.name)}
          placeholder={placeholder}
          unit={definition.unit}
          rule={rule}
          decimal={decimal}
        />
      )}
      {rule.kind === 'select' && (
        <SelectInput
          {...common}
          options={rule.options}
          optionOf={optionOf}
          unknown={placeholder ?? ofSite('metrics.value.unknown')}
        />
      )}
      {rule.kind === 'time' && <TimeInput {...common} stepMinutes={timeStepMinutes(rule.options)} />}
      <p className={classes.problem} id={`${id}-problem`}>
        {problem}
      </p>
      {draft !== undefined && !isDisabled && (
        <div className={classes.actions}>
          <span className={classes.now}>
            {t('reported', {
              value:
                rule.kind === 'select' && value !== null
                  ? optionOf(String(value))
                  : shown(value, definition.unit),
            })}
          </span>
          <Button variant="subtle" px="sm" size="compact-sm" onClick={discard}>
            {t('discard')}
          </Button>
        </div>
      )}
    </form>
  );
}
