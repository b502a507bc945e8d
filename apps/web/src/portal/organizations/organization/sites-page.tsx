import type { OwnOrganization, SiteSummary } from '@heliograph/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { SearchField } from '../../../shared/components/form/search-field.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { StateBadge } from '../../../shared/components/status/state-badge.tsx';
import { personName } from '../../../shared/format/person-name.ts';
import { MoreButton } from '../../ui/lists/more-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { OrganizationPage } from './organization-page.tsx';
import { sitesQuery } from './queries.ts';

export function Page() {
  const { t } = useTranslation('organization');
  return (
    <OrganizationPage part={t('sites.title')}>
      {(organization) => <SitesCard organization={organization} />}
    </OrganizationPage>
  );
}

/** The organization's own sites, and those that are shared with it. */
function SitesCard({ organization: { id } }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('organization');
  const [search, setSearch] = useSearchParams();
  const q = search.get('q') ?? '';
  const sites = useInfiniteQuery({ ...sitesQuery(id, q), placeholderData: keepPreviousData });
  return (
    <Card
      title={t('sites.title')}
      action={
        <SearchField
          label={t('sites.search')}
          value={q}
          onChange={(text) => setSearch(text === '' ? {} : { q: text }, { replace: true })}
        />
      }
    >
      <QueryResult query={sites}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={q === '' ? t('sites.none') : t('sites.noneFound')}>
              {q === '' && t('sites.noneText')}
            </Empty>
          ) : (
            <Rows label={t('sites.title')}>
              {list.map((site) => (
                <SiteRow key={site.id} site={site} />
              ))}
            </Rows>
          )
        }
      </QueryResult>
      <MoreButton list={sites} />
    </Card>
  );
}

function SiteRow({ site }: { readonly site: SiteSummary }) {
  const { t } = useTranslation('organization');
  const { id, name, description, inverter, battery, owner, state, last_seen_at: seen } = site;
  return (
    <Row
      title={<Link href={`/sites/${id}`}>{name ?? t('sites.unnamed', { id })}</Link>}
      facts={[description, inverter, battery, personName(owner)]}
      actions={<StateBadge state={state} lastSeenAt={seen} />}
    />
  );
}
