import type { ConsentSite } from '@heliograph/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../shared/components/form/search-field.tsx';
import classes from './consent.module.css';
import type { ConsentApi } from './consent-api.ts';
import { consentSites } from './consent-queries.ts';

/** Longest list that is looked through without a search. */
const MAX_UNSEARCHED = 8;

/** A page of sites, as the service has it. */
const PAGE = 50;

interface SiteChoiceProps {
  readonly uid: string;
  readonly api: ConsentApi;
  /** Whose sites they are. */
  readonly email: string;
  /** The first of all their sites. */
  readonly sites: readonly ConsentSite[];
  readonly chosen: ConsentSite | undefined;
  readonly onChoose: (site: ConsentSite) => void;
  readonly error: string | undefined;
}

/** One of somebody's sites. What is chosen stays in sight, whatever is searched for. */
export function SiteChoice({ uid, api, email, sites, chosen, onChoose, error }: SiteChoiceProps) {
  const { t } = useTranslation('consent');
  const [words, setWords] = useState('');
  const { data = sites, isError } = useQuery(consentSites(uid, email, api, words));
  const isListed = chosen === undefined || data.some(({ id }) => id === chosen.id);
  const shown = isListed ? data : [chosen, ...data];
  const found = (): string => {
    if (isError) return t('sites.failed');
    if (data.length >= PAGE) return t('sites.first', { number: PAGE });
    return words === '' ? '' : t('sites.found', { count: data.length });
  };
  return (
    <fieldset className={classes.choice} aria-describedby={error === undefined ? undefined : 'site-error'}>
      <legend>{t('sites.title')}</legend>
      {sites.length > MAX_UNSEARCHED && (
        <SearchField value={words} onChange={(typed) => setWords(typed.trim())} label={t('sites.search')} />
      )}
      <div className={classes.sites}>
        {shown.map((site) => (
          <label key={site.id} className={classes.site}>
            <input
              type="radio"
              name="site"
              value={site.id}
              checked={site.id === chosen?.id}
              onChange={() => onChoose(site)}
              aria-invalid={error !== undefined || undefined}
            />
            <span>
              {site.name ?? t('sites.number', { id: site.id })}
              {site.description && <small>{site.description}</small>}
            </span>
          </label>
        ))}
      </div>
      <p className={classes.note} role="status">
        {found()}
      </p>
      {error !== undefined && (
        <p className={classes.error} id="site-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
