import { Button, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { cloud } from '../session/cloud.ts';

import classes from './inline-form.module.css';
import { SITE_LISTS_KEY, siteQuery } from './queries.ts';
import { useSite } from './site-context.tsx';
import { useDraft } from './use-draft.ts';

/** What is said of the site beside its name. */
export function DescriptionForm() {
  const { t } = useTranslation('sites');
  const queries = useQueryClient();
  const { site } = useSite();
  const [description, setDescription, forget] = useDraft('description', site.description ?? '');
  const wanted = description.trim();
  const { submit, isPending, fields, error } = useSubmit(
    async () => {
      await cloud.describeSite(site.id, wanted === '' ? null : wanted);
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
