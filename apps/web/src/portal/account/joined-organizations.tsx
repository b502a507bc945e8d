import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { ConfirmedButton } from '../parts/confirmed-button.tsx';
import { Row, Rows } from '../parts/rows.tsx';
import { cloud } from '../session/cloud.ts';
import { sessionQuery } from '../session/session.ts';

const joinedQuery = queryOptions({
  queryKey: ['account', 'joined-organizations'],
  queryFn: () => cloud.listJoinedOrganizations(),
});

/** Organizations that the account joined by its consent, which it withdraws here; nothing where there are none. */
export function JoinedOrganizations() {
  const { t } = useTranslation('joining');
  const { data: joined = [] } = useQuery(joinedQuery);
  if (joined.length === 0) return null;
  return (
    <Card title={t('joinedOrganizations')}>
      <Rows label={t('joinedOrganizations')}>
        {joined.map(({ id, name }) => (
          <Row
            key={id}
            title={name}
            actions={
              <ConfirmedButton
                label={t('organizationLeave')}
                description={`${t('organizationLeave')}: ${name}`}
                title={t('organizationLeaveTitle', { organization: name })}
                act={() => cloud.leaveOrganization({ id })}
                onDone={() => {
                  void queries.invalidateQueries(joinedQuery);
                  void queries.invalidateQueries(sessionQuery);
                }}
              >
                {t('organizationLeaveText', { organization: name })}
              </ConfirmedButton>
            }
          />
        ))}
      </Rows>
    </Card>
  );
}
