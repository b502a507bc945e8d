import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../../shared/components/card/card.tsx';
import { cloud } from '../../../session/cloud.ts';
import { withFreshSignIn } from '../../../session/fresh-sign-in.ts';
import { ConfirmedButton } from '../../../ui/confirmed-button.tsx';
import { SITE_LISTS_KEY, siteQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';

/** Gives the site another device, after a confirmation of the consequences. */
export function ReplacementCard() {
  const { t } = useTranslation('siteDevice');
  const queries = useQueryClient();
  const { site } = useSite();
  const [uid, setUid] = useState('');
  const [code, setCode] = useState('');
  const [isDone, setDone] = useState(false);
  const replace = () =>
    cloud.replaceSiteDevice({
      id: site.id,
      uid: uid.trim(),
      ...(code.trim() === '' ? {} : { code: code.trim() }),
    });
  const onDone = (): void => {
    setUid('');
    setCode('');
    setDone(true);
    void queries.invalidateQueries({ queryKey: siteQuery(site.id).queryKey });
    void queries.invalidateQueries({ queryKey: SITE_LISTS_KEY });
  };
  return (
    <Card title={t('replace.title')}>
      <Stack gap="md" align="start">
        <Text>{t('replace.text')}</Text>
        <TextInput
          label={t('replace.uid')}
          description={t('replace.uidHint')}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          value={uid}
          onChange={({ currentTarget }) => setUid(currentTarget.value)}
        />
        <TextInput
          label={t('replace.code')}
          autoComplete="off"
          maxLength={64}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        {uid.trim() !== '' && (
          <ConfirmedButton
            label={t('replace.button')}
            title={t('replace.confirm')}
            act={() => withFreshSignIn(replace)}
            onDone={onDone}
          >
            {t('replace.text')}
          </ConfirmedButton>
        )}
        <div role="status">
          {isDone && (
            <Alert color="green" variant="light">
              {t('replace.done')}
            </Alert>
          )}
        </div>
      </Stack>
    </Card>
  );
}
