import type { Organization } from '@heliograph/client';
import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { sessionQuery } from '../../session/session.ts';

interface JoinOrganizationCardProps {
  readonly organization: Pick<Organization, 'id' | 'name'>;
}

/** For a person with an account who visits the pages of an organization that it does not belong to. */
export function JoinOrganizationCard({ organization: { id, name } }: JoinOrganizationCardProps) {
  const { t } = useTranslation('joining');
  const { submit, isPending, error } = useSubmit(() => cloud.joinOrganization({ organization_id: id }), {
    onDone: () => void queries.invalidateQueries(sessionQuery),
  });
  return (
    <Card title={t('organizationTitle', { organization: name })}>
      <Stack gap="sm" align="flex-start">
        <Text>{t('organizationText', { organization: name })}</Text>
        <FormError error={error} />
        <Button loading={isPending} onClick={() => submit(undefined)}>
          {t('organizationJoin')}
        </Button>
      </Stack>
    </Card>
  );
}
