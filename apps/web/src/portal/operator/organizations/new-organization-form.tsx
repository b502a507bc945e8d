import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';

/** Makes an organization, and goes to it: somebody is to be invited next. */
export function NewOrganizationForm({ onCancel }: { readonly onCancel: () => void }) {
  const { t } = useTranslation('operator');
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const { submit, isPending, fields, error } = useSubmit(() => cloud.organizations.create({ name }), {
    onDone: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['organizations'] });
      navigate(`/organizations/${id}/members`);
    },
  });
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    submit(undefined);
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md" maw="32rem">
        <TextInput
          label={t('organizations.name')}
          description={t('organizations.nameHint')}
          required
          autoFocus
          maxLength={255}
          value={name}
          error={fields.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FormError error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {t('organizations.make')}
          </Button>
          <Button variant="default" disabled={isPending} onClick={onCancel}>
            {t('cancel', { ns: 'shared' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
