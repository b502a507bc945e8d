import type { ClosingObstacle, OwnOrganization } from '@heliograph/contracts';
import { Anchor, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { forgetOrganization } from '../organization/use-change-organization.ts';

const closingQuery = (id: number) =>
  queryOptions({
    queryKey: ['organization', id, 'closing'],
    queryFn: () => cloud.getOrganizationClosing({ id }),
  });

interface ClosingCardProps {
  readonly organization: OwnOrganization;
}

/** Ends the organization, once nothing stands in the way. */
export function ClosingCard({ organization }: ClosingCardProps) {
  const { t } = useTranslation('closing');
  const query = useQuery(closingQuery(organization.id));
  return (
    <Card title={t('title')}>
      <Stack gap="md" align="start">
        <Text>{t('text')}</Text>
        <QueryResult query={query}>
          {({ obstacles }) =>
            obstacles.length === 0 ? (
              <CloseButton organization={organization} />
            ) : (
              <Obstacles organizationId={organization.id} obstacles={obstacles} />
            )
          }
        </QueryResult>
      </Stack>
    </Card>
  );
}

function CloseButton({ organization: { id, name } }: ClosingCardProps) {
  const { t } = useTranslation('closing');
  const [, navigate] = useLocation();
  return (
    <ConfirmedButton
      label={t('button')}
      title={t('confirm', { name })}
      act={() => withFreshSignIn(() => cloud.closeOrganization({ id }))}
      onDone={() => {
        navigate('/organizations');
        forgetOrganization(id);
      }}
    >
      {t('text')}
    </ConfirmedButton>
  );
}

interface ObstaclesProps {
  readonly organizationId: number;
  readonly obstacles: readonly ClosingObstacle[];
}

function Obstacles({ organizationId, obstacles }: ObstaclesProps) {
  const { t } = useTranslation('closing');
  return (
    <>
      <Text>{t('first')}</Text>
      <Rows label={t('first')}>
        {obstacles.map((obstacle) => (
          <Row
            key={`${obstacle.kind} ${obstacle.id}`}
            title={
              <Anchor component={Link} href={pathOf(organizationId, obstacle)}>
                {t(`obstacles.${obstacle.kind}`, { name: obstacle.name ?? `#${obstacle.id}` })}
              </Anchor>
            }
          />
        ))}
      </Rows>
    </>
  );
}

/** The page on which the obstacle is ended or given away. */
function pathOf(organizationId: number, { kind, id }: ClosingObstacle): string {
  return kind === 'site' ? `/sites/${id}/device` : `/organizations/${organizationId}/${kind}s/${id}`;
}
