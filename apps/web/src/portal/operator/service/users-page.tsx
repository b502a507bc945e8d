import type { User } from '@heliograph/client';
import { LANGUAGE_NAMES } from '@heliograph/contracts/locales';
import { Group } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { SearchField } from '../../../shared/components/form/search-field.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { fullName } from '../../../shared/format/person-name.ts';
import { cloud } from '../../session/cloud.ts';
import { MoreButton } from '../../ui/lists/more-button.tsx';
import { pagedQuery } from '../../ui/lists/paged.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { useFilter } from '../../ui/lists/use-filter.ts';
import { OperatorPage } from './operator-page.tsx';

const usersQuery = (q: string) =>
  pagedQuery(['operator', 'users', q], (page) => cloud.listUsers({ q, ...page }));

/** The directory of accounts. */
export function Page() {
  const { t } = useTranslation('operator');
  const { values, set } = useFilter('q');
  const users = useInfiniteQuery({ ...usersQuery(values.q), placeholderData: keepPreviousData });
  return (
    <OperatorPage part={t('users.title')}>
      <Card title={t('users.title')}>
        <Group>
          <SearchField label={t('users.search')} value={values.q} onChange={(q) => set('q', q)} />
        </Group>
        <QueryResult query={users}>
          {(list) =>
            list.length === 0 ? (
              <Empty title={t('users.none')} />
            ) : (
              <Rows label={t('users.title')}>
                {list.map((user) => (
                  <UserRow key={user.id} user={user} />
                ))}
              </Rows>
            )
          }
        </QueryResult>
        <MoreButton list={users} />
      </Card>
    </OperatorPage>
  );
}

function UserRow({ user }: { readonly user: User }) {
  const { t } = useTranslation('operator');
  const { id, email, phone_number: phone, locale } = user;
  const name = fullName(user, locale);
  return (
    <Row
      title={name || email}
      facts={[
        t('users.account', { id }),
        name !== '' && <a href={`mailto:${email}`}>{email}</a>,
        phone,
        LANGUAGE_NAMES[locale],
        <Link key="sites" href={`/sites?q=${encodeURIComponent(`user_id:${id}`)}`}>
          {t('users.sites')}
        </Link>,
        <Link key="audit" href={`/operator/audit?user_id=${id}`}>
          {t('users.audit')}
        </Link>,
      ]}
    />
  );
}
