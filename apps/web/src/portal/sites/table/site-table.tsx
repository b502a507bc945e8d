import type { SiteCounts, SiteSummary } from '@heliograph/client';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { saveCsv } from '../../../shared/browser/save-csv.ts';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { StateBadge } from '../../../shared/components/status/state-badge.tsx';
import { errorMessage } from '../../../shared/errors/error-message.ts';
import { personName } from '../../../shared/format/person-name.ts';
import { regionalTag } from '../../../shared/format/region.ts';
import { useFormat } from '../../../shared/format/use-format.ts';
import { useNow } from '../../../shared/format/use-now.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import type { Outcome, Outcomes } from '../bulk/bulk-run.ts';
import { OpenAlerts } from '../list/open-alerts.tsx';
import { fetchAllSites, siteTableQuery, TABLE_ROWS } from '../list/queries.ts';
import type { SiteSearch, TableSort } from '../list/search.ts';
import classes from './site-table.module.css';
import { siteRows } from './sites-csv.ts';
import { specificYield } from './specific-yield.ts';
import { shownOf } from './total-of.ts';

/** Those who only look never need its script. */
const BulkBar = lazy(async () => ({ default: (await import('../bulk/bulk-bar.tsx')).BulkBar }));

/** Devices send their values every 15 minutes, in milliseconds with some leeway. */
const FRESH_MS = 20 * 60_000;

interface SiteTableProps {
  readonly search: SiteSearch;
  readonly counts: SiteCounts | undefined;
  readonly onChange: (changed: Partial<SiteSearch>) => void;
}

/** The sites that match in rows, those that need attention first. */
export function SiteTable({ search, counts, onChange }: SiteTableProps) {
  const { t, i18n } = useTranslation(['sites', 'fleet']);
  const query = useQuery(siteTableQuery(search));
  const { isSelected, select, clear, outcomes, setOutcomes } = useSelection();
  const { submit, isPending, error } = useSubmit(fetchAllSites, {
    onDone: (sites) => saveCsv('heliograph-sites.csv', siteRows(sites), regionalTag(i18n.language)),
  });
  const found = counts && shownOf(counts, search.filter);
  return (
    <QueryResult query={query}>
      {(sites) => {
        if (sites.length === 0 && search.page === 1)
          return <Empty title={t('list.nothingFound')}>{t('list.nothingFoundHint')}</Empty>;
        const selected = sites.filter(({ id }) => isSelected(id));
        return (
          <>
            {/* Sites that moved away leave their result. */}
            {(selected.length > 0 || outcomes.size > 0) && (
              <Suspense fallback={<Loading />}>
                <BulkBar sites={selected} outcomes={outcomes} onOutcomes={setOutcomes} onClear={clear} />
              </Suspense>
            )}
            <table className={classes.table} aria-label={t('list.title')} aria-busy={query.isPlaceholderData}>
              <thead>
                <tr>
                  <th scope="col" className={classes.selectAll}>
                    <label>
                      <input
                        type="checkbox"
                        aria-label={t('bulk.selectPage', { ns: 'fleet' })}
                        checked={selected.length === sites.length && sites.length > 0}
                        onChange={({ currentTarget: { checked } }) => select(sites, checked)}
                      />
                    </label>
                  </th>
                  <SortHead label={t('fleet.name')} sort="name" search={search} onChange={onChange} />
                  <SortHead label={t('fleet.state')} sort="attention" search={search} onChange={onChange} />
                  <th scope="col">{t('tabs.alerts')}</th>
                  <th scope="col">{t('fleet.today')}</th>
                  <th scope="col">{t('fleet.yield')}</th>
                  <th scope="col">{t('headline.stateOfCharge')}</th>
                  <SortHead label={t('fleet.customer')} sort="customer" search={search} onChange={onChange} />
                  <th scope="col">{t('fleet.tags')}</th>
                  <SortHead
                    label={t('fleet.lastSeen')}
                    sort="last_seen"
                    search={search}
                    onChange={onChange}
                  />
                </tr>
              </thead>
              <tbody>
                {sites.map((site) => (
                  <SiteRow
                    key={site.id}
                    site={site}
                    isSelected={isSelected(site.id)}
                    outcome={outcomes.get(site.id)}
                    onSelect={(isWanted) => select([site], isWanted)}
                  />
                ))}
              </tbody>
            </table>
            <FormError error={error} />
            <div className={classes.foot}>
              <Button variant="default" loading={isPending} onClick={() => submit(search)}>
                {t('fleet.csv')}
              </Button>
              <Pages page={search.page} rows={sites.length} found={found} onChange={onChange} />
            </div>
          </>
        );
      }}
    </QueryResult>
  );
}

/** The sites that a person selected on any page of the table, and what the last change of them came to. */
function useSelection() {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const choose = (next: ReadonlySet<number>): void => {
    setIds(next);
    setOutcomes(new Map());
  };
  return {
    isSelected: (id: number): boolean => ids.has(id),
    select: (sites: readonly SiteSummary[], isWanted: boolean): void => {
      const some = new Set(sites.map(({ id }) => id));
      choose(new Set([...[...ids].filter((id) => !some.has(id)), ...(isWanted ? some : [])]));
    },
    clear: () => choose(new Set()),
    outcomes,
    setOutcomes,
  };
}

interface SortHeadProps {
  readonly label: string;
  readonly sort: TableSort;
  readonly search: SiteSearch;
  readonly onChange: (changed: Partial<SiteSearch>) => void;
}

function SortHead({ label, sort, search, onChange }: SortHeadProps) {
  const isSorted = search.sort === sort;
  const order = search.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={isSorted ? order : 'none'}>
      <button
        type="button"
        className={classes.sort}
        onClick={() => onChange({ sort, isDescending: isSorted && !search.isDescending })}
      >
        {label}
        {isSorted && <span aria-hidden="true">{search.isDescending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  );
}

interface SiteRowProps {
  readonly site: SiteSummary;
  readonly isSelected: boolean;
  /** Of the last change of the selected sites. */
  readonly outcome: Outcome | undefined;
  readonly onSelect: (isWanted: boolean) => void;
}

function SiteRow({ site, isSelected, outcome, onSelect }: SiteRowProps) {
  const { t } = useTranslation(['sites', 'fleet']);
  const { t: shared } = useTranslation();
  const { ago, dateTime, energy, number } = useFormat();
  const now = useNow();
  const { newest_values: newest, last_seen_at: seenAt } = site;
  // Older values can be those of another day.
  const fresh = newest !== null && now - Date.parse(newest.at) < FRESH_MS ? newest : undefined;
  const today = fresh?.pv == null ? undefined : energy(fresh.pv);
  const specific = specificYield(fresh?.pv, site.peak_power_kwp);
  const charge = fresh?.state_of_charge;
  const name = site.name ?? t('unnamed', { id: site.id });
  return (
    <tr data-selected={isSelected || undefined}>
      <td className={classes.select}>
        <label>
          <input
            type="checkbox"
            aria-label={t('bulk.select', { ns: 'fleet', name })}
            checked={isSelected}
            onChange={({ currentTarget: { checked } }) => onSelect(checked)}
          />
        </label>
      </td>
      <th scope="row">
        <Link href={`/sites/${site.id}`}>{name}</Link>
        {outcome !== undefined && (
          <span className={classes.outcome} data-refused={outcome.error !== undefined || undefined}>
            {outcome.error === undefined
              ? t('bulk.done', { ns: 'fleet' })
              : errorMessage(outcome.error, shared)}
          </span>
        )}
      </th>
      <td data-label={t('fleet.state')}>
        <StateBadge state={site.state} />
      </td>
      <td data-label={t('tabs.alerts')} data-empty={site.open_alerts.count === 0 || undefined}>
        {site.open_alerts.count === 0 ? (
          '–'
        ) : (
          <Link href={`/sites/${site.id}/alerts`}>
            <OpenAlerts alerts={site.open_alerts} />
          </Link>
        )}
      </td>
      <Cell label={t('fleet.today')}>{today && `${today.number} ${today.unit}`}</Cell>
      <Cell label={t('fleet.yield')}>{specific === undefined ? '' : `${number(specific)} kWh/kWp`}</Cell>
      <Cell label={t('headline.stateOfCharge')}>
        {charge == null ? '' : `${number(Math.round(charge))} %`}
      </Cell>
      <Cell label={t('fleet.customer')}>{personName(site.owner)}</Cell>
      <Cell label={t('fleet.tags')}>{site.tags.join(', ')}</Cell>
      <Cell label={t('fleet.lastSeen')} title={seenAt === null ? undefined : dateTime(seenAt)}>
        {seenAt === null ? '' : ago(seenAt, Math.max(now, Date.parse(seenAt)))}
      </Cell>
    </tr>
  );
}

interface CellProps {
  readonly label: string;
  readonly title?: string | undefined;
  /** Undefined or empty where nothing is known, which a phone leaves out. */
  readonly children: string | undefined;
}

function Cell({ label, title, children = '' }: CellProps) {
  return (
    <td data-label={label} title={title} data-empty={children === '' || undefined}>
      {children || '–'}
    </td>
  );
}

interface PagesProps {
  readonly page: number;
  /** Sites on this page. */
  readonly rows: number;
  /** Sites that match; undefined until they are counted. */
  readonly found: number | undefined;
  readonly onChange: (changed: Partial<SiteSearch>) => void;
}

function Pages({ page, rows, found, onChange }: PagesProps) {
  const { t } = useTranslation('sites');
  const { number } = useFormat();
  const before = (page - 1) * TABLE_ROWS;
  const hasNext = found === undefined ? rows === TABLE_ROWS : before + rows < found;
  return (
    <nav className={classes.pages} aria-label={t('fleet.pages')}>
      <Button variant="default" disabled={page === 1} onClick={() => onChange({ page: page - 1 })}>
        {t('fleet.previous')}
      </Button>
      <span role="status" translate="no">
        {number(before + Math.min(rows, 1))}–{number(before + rows)}
        {found !== undefined && ` / ${number(found)}`}
      </span>
      <Button variant="default" disabled={!hasNext} onClick={() => onChange({ page: page + 1 })}>
        {t('fleet.next')}
      </Button>
    </nav>
  );
}
