import { Button, Group } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { SearchField } from '../../../shared/components/form/search-field.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { OrganizationRow } from '../../organization/organization-row.tsx';
import { organizationListQuery } from '../../organization/queries.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Rows } from '../../parts/rows.tsx';
import { OperatorPage } from '../operator-page.tsx';
import { useFilter } from '../use-filter.ts';
import { NewOrganizationForm } from './new-organization-form.tsx';

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
