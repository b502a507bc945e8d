import type { OwnOrganization } from '@heliograph/client';
import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useChangeOrganization } from '../use-change-organization.ts';

/** Whether an organization requires a second factor of the people who work for it. */
export function RequiredCard({ organization }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('security');
  const { submit, isPending, fields, error } = useChangeOrganization(organization.id, () => undefined);
  return (
    <Card title={t('requireTitle')}>
      <Checkbox
        label={t('require')}
        description={t('requireText')}
        checked={organization.requires_second_factor}
        disabled={isPending}
        error={fields.requires_second_factor && t('requireOwn')}
        onChange={(event) => submit({ requires_second_factor: event.currentTarget.checked })}
      />
      <FormError error={error} />
    </Card>
  );
}
