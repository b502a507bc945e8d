import { Checkbox, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../../shared/components/form/search-field.tsx';
import { StateBadge } from '../../../shared/components/status/state-badge.tsx';
import { cloud } from '../../session/cloud.ts';
import { SiteBadge } from '../../ui/named-site.tsx';
import classes from './notification-subjects.module.css';
import { countOfWanted, type MessageRule, RULES_OF_MESSAGES } from './rules-of-messages.ts';

interface SubjectsProps<Value> {
  readonly value: readonly Value[];
  readonly onChange: (value: Value[]) => void;
}

/** The rules whose alerts give messages: all but the muted ones. */
export function RuleChoice({ value: muted, onChange }: SubjectsProps<string>) {
  const { t } = useTranslation('alerts');
  const { t: own } = useTranslation('notificationChoices');
  return (
    <details className={classes.choice}>
      <summary>{own('rules', countOfWanted(muted))}</summary>
      <fieldset className={classes.choices}>
        <legend>{own('rulesLegend')}</legend>
        <Stack gap="xs">
          {(Object.keys(RULES_OF_MESSAGES) as MessageRule[]).map((rule) => (
            <Checkbox
              key={rule}
              label={t(RULES_OF_MESSAGES[rule])}
              checked={!muted.includes(rule)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? muted.filter((one) => one !== rule) : [...muted, rule])
              }
            />
          ))}
        </Stack>
      </fieldset>
    </details>
  );
}

/** Sites of one request; others are found by a search. */
const SITES = 20;

/** The sites whose alerts give messages; all where none is chosen. */
export function SiteChoice({ value: ids, onChange }: SubjectsProps<number>) {
  const { t } = useTranslation('notificationChoices');
  const { t: sites } = useTranslation('sites');
  const [search, setSearch] = useState('');
  const [known, setKnown] = useState<ReadonlyMap<number, string>>(new Map());
  const [stored] = useState(ids);
  const { data: found = [] } = useQuery({
    queryKey: ['notification_sites', search.trim()],
    queryFn: () => cloud.listSites({ q: search.trim(), limit: SITES }),
  });
  const chosen = useQuery({
    queryKey: ['notification_sites', 'chosen', stored],
    queryFn: () => Promise.all(stored.map((id) => cloud.getSite({ id }).catch(() => undefined))),
    enabled: stored.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const nameOf = (id: number): string =>
    known.get(id) ?? chosen?.find((site) => site?.id === id)?.name ?? sites('unnamed', { id });
  const others = found.filter(({ id }) => !ids.includes(id));
  return (
    <details className={classes.choice}>
      <summary>{ids.length === 0 ? t('allSites') : t('someSites', { count: ids.length })}</summary>
      <fieldset className={classes.choices}>
        <legend>{t('sitesLegend')}</legend>
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {t('sitesHint')}
          </Text>
          {ids.map((id) => (
            <Checkbox
              key={id}
              label={
                <>
                  {nameOf(id)} <SiteBadge siteId={id} />
                </>
              }
              checked
              onChange={() => onChange(ids.filter((one) => one !== id))}
            />
          ))}
          {(found.length === SITES || search !== '') && (
            <SearchField label={t('searchSites')} value={search} onChange={setSearch} />
          )}
          {others.map(({ id, name, state, last_seen_at: lastSeenAt }) => {
            const label = name ?? sites('unnamed', { id });
            return (
              <Checkbox
                key={id}
                label={
                  <>
                    {label} <StateBadge state={state} lastSeenAt={lastSeenAt} />
                  </>
                }
                checked={false}
                onChange={() => {
                  setKnown(new Map([...known, [id, label]]));
                  onChange([...ids, id]);
                }}
              />
            );
          })}
        </Stack>
      </fieldset>
    </details>
  );
}
