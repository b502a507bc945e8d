import type { NewActivationCode } from '@heliograph/client';
import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { endOfDay } from '../end-of-day.ts';
import { activationCodes, type Issuer } from './queries.ts';

interface CodeFormProps {
  readonly issuer: Issuer;
  readonly onMade: (code: NewActivationCode) => void;
  readonly onCancel: () => void;
}

export function CodeForm({ issuer, onMade, onCancel }: CodeFormProps) {
  const { t } = useTranslation('organization');
  const [uses, setUses] = useState<number | string>(1);
  const [date, setDate] = useState('');
  const { submit, isPending, fields, error } = useSubmit(
    () => {
      const expiresAt = endOfDay(date);
      return activationCodes(issuer).create({ uses: Number(uses), ...(expiresAt && { expiresAt }) });
    },
    { onDone: onMade },
  );
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    submit(undefined);
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        <Group gap="md" align="flex-start">
          <NumberInput
            label={t('codes.uses')}
            required
            autoFocus
            min={1}
            allowDecimal={false}
            hideControls
            value={uses}
            error={fields.uses}
            onChange={setUses}
          />
          <TextInput
            type="date"
            label={t('codes.lastDay')}
            value={date}
            error={fields.expires_at}
            onChange={(event) => setDate(event.currentTarget.value)}
          />
        </Group>
        <FormError error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {t('codes.make')}
          </Button>
          <Button variant="default" disabled={isPending} onClick={onCancel}>
            {t('cancel', { ns: 'shared' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
