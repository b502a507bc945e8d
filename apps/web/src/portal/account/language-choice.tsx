import type { Locale } from '@heliograph/contracts';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { switchLocale } from '../../shared/i18n/switch-locale.ts';
import { LanguageSwitch } from '../../shared/preferences/language-switch.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { cloud } from '../session/cloud.ts';
import { sessionQuery } from '../session/session.ts';

/** The language of pages and mails. */
export function LanguageChoice() {
  const { t } = useTranslation('account');
  const { submit, error } = useSubmit(async (locale: Locale) => {
    const user = await cloud.setLocale(locale);
    await switchLocale(locale);
    queries.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, user });
  });
  return (
    <div style={{ maxWidth: '24rem' }}>
      <LanguageSwitch label={t('preferences.language')} onChange={submit} />
      <Text size="sm" c="dimmed" mt={4}>
        {t('preferences.languageHint')}
      </Text>
      <FormError error={error} />
    </div>
  );
}
