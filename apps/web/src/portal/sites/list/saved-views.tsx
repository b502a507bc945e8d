import type { SiteView } from '@heliograph/client';
import { Button, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { FormFooter } from '../../../shared/components/form/form-footer.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import classes from './saved-views.module.css';
import { type SiteSearch, searchFrom, searchParams } from './search.ts';

const viewsQuery = queryOptions({
  queryKey: ['site-views'],
  queryFn: async () => (await cloud.getSiteViews()).views,
});

/** The views that the reader saved, and what is done to the one that is shown. */
export function SavedViews({ search }: { readonly search: SiteSearch }) {
  const { t } = useTranslation('fleet');
  const { data: views } = useQuery(viewsQuery);
  const [isNaming, setNaming] = useState(false);
  // The list below keeps its place when they come.
  if (views === undefined) return <div className={classes.bar} />;
  const shown = addressOf(search);
  const current = views.find((view) => isSame(view, shown));
  return (
    <div className={classes.bar}>
      {views.length > 0 && (
        <nav aria-label={t('views.title')}>
          {/* biome-ignore lint/a11y/noRedundantRoles: Safari forgets that a list without bullets is one */}
          <ul className={classes.views} role="list">
            {views.map((view) => (
              <li key={view.name}>
                <Link
                  className={classes.view}
                  href={`/sites?${view.search}`}
                  {...(view === current && { 'aria-current': 'true' })}
                >
                  {view.name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {isNaming ? (
        <NameForm current={current} search={shown} onClose={() => setNaming(false)} />
      ) : (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setNaming(true)}>
            {current === undefined ? t('views.save') : t('views.rename')}
          </Button>
          {current !== undefined && (
            <ConfirmedButton
              label={t('views.delete')}
              title={t('views.deleteTitle', { name: current.name })}
              act={() => changeViews((kept) => kept.filter(({ name }) => name !== current.name))}
            >
              {t('views.deleteText')}
            </ConfirmedButton>
          )}
        </div>
      )}
    </div>
  );
}

interface NameFormProps {
  /** The view that gets another name; undefined for one that is new. */
  readonly current: SiteView | undefined;
  readonly search: string;
  readonly onClose: () => void;
}

function NameForm({ current, search, onClose }: NameFormProps) {
  const { t } = useTranslation('fleet');
  const [name, setName] = useState(current?.name ?? '');
  const form = useSubmit((chosen: string) => changeViews(named(current, { name: chosen, search })), {
    onDone: onClose,
  });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') form.submit(name.trim());
      }}
    >
      <TextInput
        label={t('views.name')}
        autoComplete="off"
        data-autofocus
        ref={(input) => input?.focus()}
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={Object.values(form.fields)[0]}
      />
      <FormFooter form={form} submitLabel={t('views.store')} onCancel={onClose} />
    </form>
  );
}

/** The list with a view that is new, or in the place of the one that it renames. */
function named(current: SiteView | undefined, view: SiteView) {
  return (kept: readonly SiteView[]): readonly SiteView[] =>
    current === undefined
      ? [...kept, view]
      : kept.map((each) => (each.name === current.name ? { ...each, name: view.name } : each));
}

/** Changes the list as it is now: another tab may have changed it. */
async function changeViews(change: (views: readonly SiteView[]) => readonly SiteView[]): Promise<void> {
  const { views } = await cloud.getSiteViews();
  const saved = await cloud.setSiteViews({ views: [...change(views)] });
  queries.setQueryData(viewsQuery.queryKey, saved.views);
}

/** A search as views have it: with its layout, whichever another browser remembers, from its first page. */
function addressOf(search: SiteSearch): string {
  return searchParams({ ...search, page: 1 }, undefined).toString();
}

function isSame(view: SiteView, address: string): boolean {
  return addressOf(searchFrom(new URLSearchParams(view.search))) === address;
}
