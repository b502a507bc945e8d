import { Button, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../../shared/components/dialog/confirm-dialog.tsx';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { cloud } from '../../../session/cloud.ts';
import { SITE_LISTS_KEY, siteQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';
import classes from './naming-card.module.css';
import { renamedAddress } from './site-name.ts';
import { useDraft } from './use-draft.ts';
import { useNameError } from './use-name-error.ts';

/** Renames the site, and with it its address, after a confirmation of the consequences. */
export function RenameForm() {
  const { t } = useTranslation('sites');
  const queries = useQueryClient();
  const { site } = useSite();
  const [name, setName, forget] = useDraft('name', site.name ?? '');
  const [isAsking, setAsking] = useState(false);
  const wanted = name.trim();
  const { submit, isPending, fields, error } = useSubmit(
    async () => {
      try {
        await cloud.renameSite({ id: site.id, name: wanted });
      } finally {
        setAsking(false);
      }
      await queries.invalidateQueries({ queryKey: siteQuery(site.id).queryKey, exact: true });
      void queries.invalidateQueries({ queryKey: SITE_LISTS_KEY });
    },
    { onDone: forget },
  );
  const problem = useNameError(name, fields.name);
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (problem.isLocal || wanted === '') event.currentTarget.querySelector('input')?.focus();
        else setAsking(true);
      }}
    >
      <FormError error={error} />
      <div className={classes.line}>
        <TextInput
          className={classes.field ?? ''}
          label={t('naming.name')}
          description={t('name.rule')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={name}
          error={problem.message}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={wanted === '' || wanted === site.name}>
          {t('naming.rename')}
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsking}
        title={t('naming.askTitle', { from: site.name ?? t('unnamed', { id: site.id }), to: wanted })}
        confirmLabel={t('naming.rename')}
        isPending={isPending}
        onConfirm={() => submit(undefined)}
        onCancel={() => setAsking(false)}
      >
        {site.url === null ? (
          <p>{t('naming.first')}</p>
        ) : (
          <>
            <p>{t('naming.address', { from: site.url, to: renamedAddress(site.url, wanted) })}</p>
            <p>{t('naming.oldAddress')}</p>
          </>
        )}
      </ConfirmDialog>
    </form>
  );
}

export function DescriptionForm() {
  const { t } = useTranslation('sites');
  const queries = useQueryClient();
  const { site } = useSite();
  const [description, setDescription, forget] = useDraft('description', site.description ?? '');
  const wanted = description.trim();
  const { submit, isPending, fields, error } = useSubmit(
    async () => {
      await cloud.describeSite({ id: site.id, description: wanted === '' ? null : wanted });
      await queries.invalidateQueries({ queryKey: siteQuery(site.id).queryKey, exact: true });
      void queries.invalidateQueries({ queryKey: SITE_LISTS_KEY });
    },
    { onDone: forget },
  );
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(undefined);
      }}
    >
      <FormError error={error} />
      <Textarea
        size="md"
        label={t('naming.description')}
        maxLength={1000}
        rows={2}
        value={description}
        error={fields.description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Button
        className={classes.send}
        type="submit"
        variant="default"
        loading={isPending}
        disabled={wanted === (site.description ?? '')}
      >
        {t('naming.save')}
      </Button>
    </form>
  );
}
