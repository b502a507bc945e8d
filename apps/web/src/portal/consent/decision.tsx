import { ApiError } from '@heliograph/client';
import type { ConsentRequest, ConsentSite } from '@heliograph/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { SearchField } from '../../shared/components/form/search-field.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { StateBadge } from '../../shared/components/status/state-badge.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { rejectFields } from '../identity/entry/form/reject-fields.ts';
import classes from './consent.module.css';
import { allowConsent, consentSites, denyConsent } from './consent-calls.ts';
import { Account, Introduction, ScopeList } from './request-details.tsx';

interface DecisionProps {
  readonly uid: string;
  readonly request: ConsentRequest;
  readonly user: NonNullable<ConsentRequest['user']>;
  /** The first of the person's sites; empty where none is to be chosen. */
  readonly sites: readonly ConsentSite[];
  readonly onAnswered: (location: string) => void;
  readonly onSignedOut: () => void;
  /** When what is shown may be over. */
  readonly onOutdated: () => void;
}

/** The requested scopes, the site, and the answer. */
export function Decision({ uid, request, user, sites, onAnswered, onSignedOut, onOutdated }: DecisionProps) {
  const { t } = useTranslation('consent');
  const { application, chooses_site: choosesSite, site_chosen_before: before } = request;
  const [chosen, setChosen] = useState(before ?? (sites.length === 1 ? sites[0] : undefined));
  const { submit, isPending, fields, error } = useSubmit(
    async (answer: 'allow' | 'deny') => {
      if (answer === 'deny') return denyConsent(uid);
      rejectFields({ site_id: choosesSite && chosen === undefined ? t('sites.missing') : undefined });
      return allowConsent(uid, user.email, chosen?.id ?? null).catch((failure: unknown) => {
        if (failure instanceof ApiError && [401, 404].includes(failure.status)) onOutdated();
        if (failure instanceof ApiError && failure.status === 422) rejectFields({ site_id: t('sites.gone') });
        throw failure;
      });
    },
    { onDone: onAnswered },
  );
  return (
    <>
      <PageTitle text={t('title', { application: application.name })} focusOnMount />
      <Introduction request={request} />
      <ScopeList scopes={request.scopes} />
      {choosesSite && (
        <SiteChoice
          uid={uid}
          email={user.email}
          sites={sites}
          chosen={chosen}
          onChoose={setChosen}
          error={fields.site_id}
        />
      )}
      <p className={classes.note}>{choosesSite ? t('duration.site') : t('duration.day')}</p>
      <Account user={user} onSignedOut={onSignedOut} />
      <FormError error={error} />
      {/* Both answers look the same: neither is the one to take. */}
      <div className={classes.answers}>
        <Button variant="outline" loading={isPending} onClick={() => submit('allow')}>
          {t('allow')}
        </Button>
        <Button variant="outline" disabled={isPending} onClick={() => submit('deny')}>
          {t('deny')}
        </Button>
      </div>
    </>
  );
}

/** Longest list that is looked through without a search. */
const MAX_UNSEARCHED = 8;

/** A page of sites, as the service has it. */
const PAGE = 50;

interface SiteChoiceProps {
  readonly uid: string;
  /** The owner of the sites. */
  readonly email: string;
  /** The first of all their sites. */
  readonly sites: readonly ConsentSite[];
  readonly chosen: ConsentSite | undefined;
  readonly onChoose: (site: ConsentSite) => void;
  readonly error: string | undefined;
}

/** One of the account's sites. The chosen site stays visible whatever the search finds. */
function SiteChoice({ uid, email, sites, chosen, onChoose, error }: SiteChoiceProps) {
  const { t } = useTranslation('consent');
  const [query, setQuery] = useState('');
  const { data = sites, isError } = useQuery(consentSites(uid, email, query));
  const isListed = chosen === undefined || data.some(({ id }) => id === chosen.id);
  const shown = isListed ? data : [chosen, ...data];
  const found = (): string => {
    if (isError) return t('sites.failed');
    if (data.length >= PAGE) return t('sites.first', { number: PAGE });
    return query === '' ? '' : t('sites.found', { count: data.length });
  };
  return (
    <fieldset className={classes.choice} aria-describedby={error === undefined ? undefined : 'site-error'}>
      <legend>{t('sites.title')}</legend>
      {sites.length > MAX_UNSEARCHED && (
        <SearchField value={query} onChange={(typed) => setQuery(typed.trim())} label={t('sites.search')} />
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
              {site.name ?? t('sites.number', { id: site.id })}{' '}
              <StateBadge state={site.state} lastSeenAt={site.last_seen_at} />
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
