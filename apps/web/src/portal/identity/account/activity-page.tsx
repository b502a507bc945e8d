import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { AccountPage } from '../../frame/account-page.tsx';
import { AuditList } from '../../privacy/audit/audit-list.tsx';
import { cloud } from '../../session/cloud.ts';
import { MoreButton } from '../../ui/lists/more-button.tsx';
import { pagedQuery } from '../../ui/lists/paged.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';

const activityQuery = pagedQuery(['account', 'activity'], (page) => cloud.listOwnAudit(page));

/** Attempts to sign in to the own account, and changes of it. */
export function Page() {
  const { t } = useTranslation('account');
  const entries = useInfiniteQuery(activityQuery);
  return (
    <AccountPage part={t('activity.title')}>
      <Card title={t('activity.title')}>
        <Text>{t('activity.text')}</Text>
        <QueryResult query={entries}>{(list) => <AuditList entries={list} />}</QueryResult>
        <MoreButton list={entries} />
      </Card>
    </AccountPage>
  );
}
