import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/app-frame.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { switchLocale } from '../../shared/i18n/i18n.ts';
import { LANGUAGES, LOCALES, localeOf } from '../../shared/i18n/languages.ts';
import { cloud } from '../session/cloud.ts';
import { sessionQuery } from '../session/session.ts';

/** The language of pages and mails, each by its own name. */
export function LanguageChoice({ current }: { readonly current: string }) {
  const { t } = useTranslation('account');
  const { submit, isPending, error } = useSubmit(async (chosen: string) => {
    const user = await cloud.setLocale(localeOf(chosen));
    await switchLocale(user.locale);
    queries.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, user });
  });
  return (
    <>
      <NativeSelect
        label={t('preferences.language')}
        description={t('preferences.languageHint')}
        maw="24rem"
        value={current}
        disabled={isPending}
        data={LOCALES.map((locale) => ({ value: locale, label: LANGUAGES[locale].name }))}
        onChange={(event) => submit(event.currentTarget.value)}
      />
      <FormError error={error} />
    </>
  );
}
