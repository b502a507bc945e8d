import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormFooter } from '../../../shared/components/form/form-footer.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';

/** The choices of people; programs name any types. */
const CHOICES = {
  all: [],
  alerts: ['alert', 'outage'],
  presence: ['site.online', 'site.offline', 'outage'],
  energy: ['energy', 'setting'],
  people: ['site', 'site_member', 'organization_member'],
  trade: ['order', 'ticket'],
} as const;
type Choice = keyof typeof CHOICES;

const LABELS = {
  all: 'choices.all',
  alerts: 'choices.alerts',
  presence: 'choices.presence',
  energy: 'choices.energy',
  people: 'choices.people',
  trade: 'choices.trade',
} as const satisfies Record<Choice, string>;

export interface WebhookFields {
  readonly name: string;
  readonly url: string;
  readonly types: string[];
}

interface WebhookFormProps<Result> {
  readonly submitLabel: string;
  readonly initial?: { readonly name: string; readonly url: string; readonly types: readonly string[] };
  readonly send: (fields: WebhookFields) => Promise<Result>;
  readonly onDone: (result: Result) => void;
  readonly onCancel: () => void;
}

/** The fields of a webhook, new or changed. */
export function WebhookForm<Result>({
  submitLabel,
  initial = { name: '', url: '', types: [] },
  send,
  onDone,
  onCancel,
}: WebhookFormProps<Result>) {
  const { t } = useTranslation('webhooks');
  const own =
    choiceOf(initial.types) === undefined ? [{ value: 'own', label: initial.types.join(', ') }] : [];
  const form = useApiForm({
    initialValues: { name: initial.name, url: initial.url, types: choiceOf(initial.types) ?? 'own' },
    send: ({ name, url, types }) =>
      send({
        name,
        url: url.trim(),
        types: types === 'own' ? [...initial.types] : [...CHOICES[types as Choice]],
      }),
    onDone,
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md" maw="40rem">
        <TextInput label={t('name')} required autoFocus maxLength={100} {...form.getInputProps('name')} />
        <TextInput
          type="url"
          label={t('url')}
          description={t('urlHint')}
          placeholder="https://example.com/heliograph"
          required
          autoComplete="off"
          {...form.getInputProps('url')}
        />
        <NativeSelect
          label={t('events')}
          data={[
            ...CHOICE_NAMES.map((choice) => ({ value: choice as string, label: t(LABELS[choice]) })),
            ...own,
          ]}
          {...form.getInputProps('types')}
        />
        <FormFooter form={form} submitLabel={submitLabel} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

const CHOICE_NAMES: readonly Choice[] = ['all', 'alerts', 'presence', 'energy', 'people', 'trade'];

function choiceOf(types: readonly string[]): Choice | undefined {
  const wanted = [...types].sort().join();
  return CHOICE_NAMES.find((choice) => [...CHOICES[choice]].sort().join() === wanted);
}

/** The label of a choice; undefined for types that a program has named. */
export function choiceLabelOf(types: readonly string[]): (typeof LABELS)[Choice] | undefined {
  const choice = choiceOf(types);
  return choice && LABELS[choice];
}
