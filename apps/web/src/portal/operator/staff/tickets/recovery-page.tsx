import type { RecoverySession } from '@heliograph/contracts';
import { Anchor, Group } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../../../shared/components/card/card.tsx';
import { SearchField } from '../../../../shared/components/form/search-field.tsx';
import { Empty } from '../../../../shared/components/states/empty.tsx';
import { STATE_LABELS } from '../../../sites/site/recovery/labels.ts';
import { SessionRow } from '../../../sites/site/recovery/session-row.tsx';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { QueryResult } from '../../../ui/lists/query-result.tsx';
import { Rows } from '../../../ui/lists/rows.tsx';
import { useFilter } from '../../../ui/lists/use-filter.ts';
import { SiteBadge } from '../../../ui/named-site.tsx';
import { FilterSelect } from '../filter-select.tsx';
import { recoverySessionsQuery } from '../queries.ts';
import { searchOf } from '../search-of.ts';
import { StaffPage, useStaff } from '../staff-page.tsx';

/** The support recovery sessions of an organization at all sites; for operators those of all parties. */
export function Page() {
  const { t } = useTranslation('recovery');
  return (
    <StaffPage part={t('title')}>
      <SessionsCard />
    </StaffPage>
  );
}

function SessionsCard() {
  const { t } = useTranslation('recovery');
  const { t: tStaff } = useTranslation('staff');
  const { organizationId } = useStaff();
  const { values, set } = useFilter('q', 'state', 'organization_id');
  const { q, ...keys } = values;
  const sessions = useInfiniteQuery({
    ...recoverySessionsQuery(organizationId, searchOf(q, keys)),
    placeholderData: keepPreviousData,
  });
  const states = Object.entries(STATE_LABELS).map(([state, { label }]) => [state, t(label)] as const);
  return (
    <Card title={t('title')}>
      <Group gap="sm">
        <SearchField label={t('search')} value={q} onChange={(text) => set('q', text)} />
        <FilterSelect
          label={tStaff('tickets.state')}
          all={tStaff('tickets.anyState')}
          value={keys.state}
          choices={Object.fromEntries(states)}
          onChange={(value) => set('state', value)}
        />
        {organizationId === null && (
          <FilterSelect
            label={t('party')}
            all={tStaff('tickets.anyHandler')}
            value={keys.organization_id}
            choices={{ none: tStaff('tickets.operator') }}
            onChange={(value) => set('organization_id', value)}
          />
        )}
      </Group>
      <QueryResult query={sessions}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('noneFound')} />
          ) : (
            <Rows label={t('title')}>
              {list.map((session) => (
                <SessionRow
                  key={session.id}
                  isSupport
                  title={<SiteLink session={session} />}
                  session={session}
                />
              ))}
            </Rows>
          )
        }
      </QueryResult>
      <MoreButton list={sessions} />
    </Card>
  );
}

/** Leads to where a session is answered, used and ended. */
function SiteLink({ session: { site } }: { readonly session: RecoverySession }) {
  return (
    <>
      <Anchor component={Link} href={`/sites/${site.id}/support`}>
        {site.name ?? `#${site.id}`}
      </Anchor>{' '}
      <SiteBadge siteId={site.id} />
    </>
  );
}
