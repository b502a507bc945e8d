import type { OrganizationDocument } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** For those who read it and do not change it. */
export function DocumentText({ document: { custom, text } }: { readonly document: OrganizationDocument }) {
  const { t } = useTranslation('organization');
  return (
    <>
      <Text c="dimmed">{custom ? t('documents.own') : t('documents.standard')}</Text>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
    </>
  );
}
