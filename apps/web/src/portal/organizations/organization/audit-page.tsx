import type { OwnOrganization } from '@heliograph/client';
import { foldText } from '@heliograph/contracts/folded-text';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { personName } from '../../../shared/format/person-name.ts';
import { AuditFilterBar } from '../../privacy/audit/audit-filter-bar.tsx';
import { auditFilters, useAuditFilter } from '../../privacy/audit/audit-filters.ts';
import { AuditList } from '../../privacy/audit/audit-list.tsx';
import { cloud } from '../../session/cloud.ts';
import { MoreButton } from '../../ui/lists/more-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import type { Named, NamedLookup } from '../../ui/named-field.tsx';
import { OrganizationPage } from './organization-page.tsx';
import { organizationAuditQuery } from './queries.ts';

const CHOICES = 10;

/** Members of a team: the first page of their list, which few teams exceed. */
const MEMBERS = 200;

/** Finds the members of an organization, its sites and their owners by name, for its managers. */
function lookupsOf(organizationId: number) {
  const sites = (q: string) => cloud.listSites({ organization_id: organizationId, q, limit: CHOICES });
  const people = async (q: string): Promise<Named[]> => {
    const [members, found] = await Promise.all([
      cloud.listOrganizationMembers({ id: organizationId, limit: MEMBERS }),
      sites(q),
    ]);
    const all = [...members, ...found.map(({ owner }) => owner)];
    return [...new Map(all.map((person) => [person.id, person])).values()].map((person) => ({
      id: person.id,
      name: personName(person),
    }));
  };
  return {
    user: {
      key: ['organization', organizationId, 'user'],
      search: async (text) => (await people(text)).filter(({ name }) => isIn(text, name)).slice(0, CHOICES),
      find: async (id) => (await people(`user_id:${id}`)).find((person) => person.id === id),
    },
    site: {
      key: ['organization', organizationId, 'site'],
      search: async (text) =>
        (await sites(text)).map(({ id, name, state }) => ({ id, name: name ?? '', state })),
      find: async (id) => ({ id, name: (await cloud.getSite({ id })).name ?? '' }),
    },
  } as const satisfies Readonly<Record<string, NamedLookup>>;
}

/** Whether each word of a text is in a name, in any letter case. */
function isIn(text: string, name: string): boolean {
  const whole = foldText(name);
  return foldText(text)
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

export function Page() {
  const { t } = useTranslation('organization');
  return (
    <OrganizationPage part={t('audit.title')} forManagers>
      {(organization) => <AuditCard organization={organization} />}
    </OrganizationPage>
  );
}

function AuditCard({ organization: { id } }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('organization');
  const filter = useAuditFilter();
  const lookups = useMemo(() => lookupsOf(id), [id]);
  const entries = useInfiniteQuery({
    ...organizationAuditQuery(id, auditFilters(filter.values)),
    placeholderData: keepPreviousData,
  });
  return (
    <Card title={t('audit.title')}>
      <AuditFilterBar filter={filter} lookups={lookups} />
      <QueryResult query={entries}>
        {(list) => <AuditList entries={list} isFiltered={filter.isSet} />}
      </QueryResult>
      <MoreButton list={entries} />
    </Card>
  );
}
