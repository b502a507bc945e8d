import { ApiError } from '@heliograph/client';
import type { ConsentRequest, ConsentSite } from '@heliograph/contracts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { rejectFields } from '../entry/form/reject-fields.ts';
import { Account } from './account.tsx';
import classes from './consent.module.css';
import type { ConsentApi } from './consent-api.ts';
import { Introduction } from './introduction.tsx';
import { ScopeList } from './scope-list.tsx';
import { SiteChoice } from './site-choice.tsx';

interface DecisionProps {
  readonly uid: string;
  readonly api: ConsentApi;
  readonly request: ConsentRequest;
  readonly user: NonNullable<ConsentRequest['user']>;
  /** The first of the person's sites; empty where none is to be chosen. */
  readonly sites: readonly ConsentSite[];
  readonly onAnswered: (location: string) => void;
  readonly onSignedOut: () => void;
  /** When what is shown may be over. */
  readonly onOutdated: () => void;
}

/** What is asked for, which site, and yes or no. */
export function Decision({
  uid,
  api,
  request,
  user,
  sites,
  onAnswered,
  onSignedOut,
  onOutdated,
}: DecisionProps) {
  const { t } = useTranslation('consent');
  const { application, chooses_site: choosesSite, site_chosen_before: before } = request;
  const [chosen, setChosen] = useState(before ?? (sites.length === 1 ? sites[0] : undefined));
  const { submit, isPending, fields, error } = useSubmit(
    async (answer: 'allow' | 'deny') => {
      if (answer === 'deny') return api.deny();
      rejectFields({ site_id: choosesSite && chosen === undefined ? t('sites.missing') : undefined });
      return api.allow(user.email, chosen?.id ?? null).catch((failure: unknown) => {
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
          api={api}
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
