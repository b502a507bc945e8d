import { Button, Group, Stack, TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormFooter } from '../../../shared/components/form/form-footer.tsx';
import { SearchField } from '../../../shared/components/form/search-field.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { queries } from '../../../shared/queries/query-client.ts';
import { OrganizationRow } from '../../organizations/joining/organization-row.tsx';
import { organizationListQuery } from '../../organizations/organization/queries.ts';
import { cloud } from '../../session/cloud.ts';
import { MoreButton } from '../../ui/lists/more-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Rows } from '../../ui/lists/rows.tsx';
import { useFilter } from '../../ui/lists/use-filter.ts';
import { OperatorPage } from './operator-page.tsx';

/** Every organization of the service. */
export function Page() {
  const { t } = useTranslation('operator');
  const [isMaking, setMaking] = useState(false);
  const { values, set } = useFilter('q');
  const list = useInfiniteQuery({ ...organizationListQuery(values.q), placeholderData: keepPreviousData });
  return (
    <OperatorPage part={t('organizations.title')}>
      <Card
        title={t('organizations.title')}
        action={!isMaking && <Button onClick={() => setMaking(true)}>{t('organizations.start')}</Button>}
      >
        {isMaking && <NewOrganizationForm onCancel={() => setMaking(false)} />}
        <Group>
          <SearchField label={t('organizations.search')} value={values.q} onChange={(q) => set('q', q)} />
        </Group>
        <QueryResult query={list}>
          {(organizations) =>
            organizations.length === 0 ? (
              <Empty title={t('organizations.none')} />
            ) : (
              <Rows label={t('organizations.title')}>
                {organizations.map((organization) => (
                  <OrganizationRow key={organization.id} organization={organization} />
                ))}
              </Rows>
            )
          }
        </QueryResult>
        <MoreButton list={list} />
      </Card>
    </OperatorPage>
  );
}

/** Creates an organization and leads to its members, since an invitation follows. */
function NewOrganizationForm({ onCancel }: { readonly onCancel: () => void }) {
  const { t } = useTranslation('operator');
  const [, navigate] = useLocation();
  const form = useApiForm({
    initialValues: { name: '' },
    send: ({ name }) => cloud.createOrganization({ name }),
    onDone: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['organizations'] });
      navigate(`/organizations/${id}/members`);
    },
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md" maw="32rem">
        <TextInput
          label={t('organizations.name')}
          description={t('organizations.nameHint')}
          required
          autoFocus
          maxLength={255}
          {...form.getInputProps('name')}
        />
        <FormFooter form={form} submitLabel={t('organizations.make')} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
