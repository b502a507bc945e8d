import type { AlertRule, AlertRuleEntry, AlertSeverity } from '@heliograph/contracts';
import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../components/form/form-error.tsx';
import { useApiForm } from '../components/form/use-api-form.ts';
import { useDeviceLabel } from '../format/device-label.ts';
import { useDefinitions } from '../live/live-context.tsx';
import classes from './alerts.module.css';
import { entryOf, parseNumber } from './rule-entries.ts';
import { SEVERITY_LABELS } from './use-alert-sentence.ts';

interface RuleFormProps {
  readonly onSave: (entry: AlertRuleEntry) => Promise<void>;
  readonly onDone: () => void;
}

const isNumber =
  (label: string) =>
  (text: string): string | null =>
    parseNumber(text) === null ? label : null;

/** A duration of a rule, from minutes. */
function secondsOf(minutes: string): number {
  return Math.round((parseNumber(minutes) ?? 0) * 60);
}

const SEVERITIES = Object.keys(SEVERITY_LABELS) as AlertSeverity[];

function useSeverities(): { readonly value: AlertSeverity; readonly label: string }[] {
  const { t } = useTranslation('alerts');
  return SEVERITIES.map((value) => ({ value, label: t(SEVERITY_LABELS[value]) }));
}

/** The numbers of a rule. */
export function RuleForm({ rule, onSave, onDone }: RuleFormProps & { readonly rule: AlertRule }) {
  const notNumber = useTranslation('settings').t('problem.notNumber');
  const { limit, clear_limit: clearLimit, for_s: seconds } = rule.condition;
  const form = useApiForm({
    initialValues: {
      limit: String(limit ?? ''),
      clearLimit: String(clearLimit ?? ''),
      minutes: String(Math.round(seconds / 6) / 10),
      severity: rule.severity,
    },
    validate: {
      limit: limit === undefined ? () => null : isNumber(notNumber),
      clearLimit: clearLimit === undefined ? () => null : isNumber(notNumber),
      minutes: isNumber(notNumber),
    },
    send: async (values) =>
      onSave({
        ...entryOf(rule),
        severity: values.severity,
        condition: {
          ...rule.condition,
          for_s: secondsOf(values.minutes),
          ...(limit !== undefined && { limit: parseNumber(values.limit) ?? limit }),
          ...(clearLimit !== undefined && { clear_limit: parseNumber(values.clearLimit) ?? clearLimit }),
        },
      }),
    onDone,
  });
  return <RuleFields form={form} hasLimit={limit !== undefined} hasClearLimit={clearLimit !== undefined} />;
}

/** A new rule of the owner, about one value. */
export function NewRuleForm({ id, onSave, onDone }: RuleFormProps & { readonly id: string }) {
  const { t } = useTranslation('alerts');
  const notNumber = useTranslation('settings').t('problem.notNumber');
  const heading = useDeviceLabel();
  const choices = useDefinitions()
    .filter(({ unit, group }) => unit !== '' && group !== 'Ignore')
    .map(({ topic, name, unit, device, number }) => ({
      value: topic,
      label: `${heading(device, number)}: ${name} (${unit})`,
    }));
  const form = useApiForm({
    initialValues: {
      name: '',
      topic: choices[0]?.value ?? '',
      kind: 'below' as 'above' | 'below',
      limit: '',
      minutes: '10',
      severity: 'warning' as AlertSeverity,
    },
    validate: { limit: isNumber(notNumber), minutes: isNumber(notNumber) },
    send: async (values) =>
      onSave({
        id,
        name: values.name.trim() === '' ? null : values.name.trim(),
        enabled: true,
        severity: values.severity,
        condition: {
          kind: values.kind,
          topics: [values.topic],
          limit: parseNumber(values.limit) ?? 0,
          for_s: secondsOf(values.minutes),
        },
      }),
    onDone,
  });
  return (
    <RuleFields form={form} hasLimit hasClearLimit={false}>
      <TextInput label={t('rules.name')} maxLength={100} {...form.getInputProps('name')} />
      <NativeSelect label={t('rules.value')} data={choices} {...form.getInputProps('topic')} />
      <NativeSelect
        label={t('rules.condition')}
        data={[
          { value: 'below', label: t('rules.below') },
          { value: 'above', label: t('rules.above') },
        ]}
        {...form.getInputProps('kind')}
      />
    </RuleFields>
  );
}

type FieldName = 'limit' | 'clearLimit' | 'minutes' | 'severity';

interface RuleFieldsProps {
  readonly form: Pick<ReturnType<typeof useApiForm>, 'submit' | 'isPending' | 'error'> & {
    readonly getInputProps: (name: FieldName) => object;
  };
  readonly hasLimit: boolean;
  readonly hasClearLimit: boolean;
  /** The fields that stand first. */
  readonly children?: ReactNode;
}

/** The fields that every rule has, and the button that saves it. */
function RuleFields({ form, hasLimit, hasClearLimit, children }: RuleFieldsProps) {
  const { t } = useTranslation('alerts');
  const number = (label: string, name: FieldName) => (
    <TextInput label={label} inputMode="decimal" {...form.getInputProps(name)} />
  );
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="sm">
        <FormError error={form.error} />
        <div className={classes.fields}>
          {children}
          {hasLimit && number(t('rules.limit'), 'limit')}
          {hasClearLimit && number(t('rules.clearLimit'), 'clearLimit')}
          {number(t('rules.minutes'), 'minutes')}
          <NativeSelect
            label={t('rules.severity')}
            data={useSeverities()}
            {...form.getInputProps('severity')}
          />
        </div>
        <Group>
          <Button type="submit" loading={form.isPending}>
            {t('rules.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
