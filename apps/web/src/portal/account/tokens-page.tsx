import type { CreatedApiToken } from '@heliograph/client';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { OnceShownSecret } from '../../shared/components/copy/secret.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { Announcement } from '../parts/announcement.tsx';
import { AccountPage } from './account-page.tsx';
import { tokensQuery } from './queries.ts';
import { TokenForm } from './token-form.tsx';
import { TokenList } from './token-list.tsx';

export function Page() {
  const { t } = useTranslation('account');
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedApiToken>();
  const show = (token: CreatedApiToken): void => {
    setMade(token);
    setMaking(false);
    void queries.invalidateQueries(tokensQuery);
  };
  const startMaking = (): void => {
    setMade(undefined);
    setMaking(true);
  };
  const refresh = (): void => void queries.invalidateQueries(tokensQuery);
  return (
    <AccountPage part={t('tokens.title')}>
      {isMaking && (
        <Card title={t('tokens.new')}>
          <TokenForm onMade={show} onCancel={() => setMaking(false)} />
        </Card>
      )}
      {made !== undefined && (
        <Announcement>
          <Card title={t('tokens.made', { name: made.name })}>
            <OnceShownSecret label={t('tokens.token')} secret={made.token} />
          </Card>
        </Announcement>
      )}
      <Card
        title={t('tokens.title')}
        action={!isMaking && <Button onClick={startMaking}>{t('tokens.start')}</Button>}
      >
        <Text c="dimmed">{t('tokens.text')}</Text>
        <TokenList onRevoked={refresh} />
      </Card>
    </AccountPage>
  );
}
