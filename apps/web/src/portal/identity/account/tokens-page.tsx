import type { ApiToken, CreatedApiToken } from '@heliograph/client';
import { Button, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { OnceShownSecret } from '../../../shared/components/copy/secret.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { useDelegationName } from '../../access/access-card.tsx';
import { useMadeBy } from '../../access/delegations.ts';
import { SCOPE_LABELS } from '../../access/scope-labels.ts';
import { AccountPage } from '../../frame/account-page.tsx';
import { cloud } from '../../session/cloud.ts';
import { Announcement } from '../../ui/announcement.tsx';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { Tags } from '../../ui/tags/tags.tsx';
import { revokeToken } from './end-credentials.ts';
import { TokenForm } from './token-form.tsx';
import { useLastUse } from './use-last-use.ts';

const tokensQuery = queryOptions({
  queryKey: ['account', 'tokens'],
  queryFn: () => cloud.listTokens(),
});

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
          <TokenForm onCreated={show} onCancel={() => setMaking(false)} />
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

function TokenList({ onRevoked }: { readonly onRevoked: () => void }) {
  const { t } = useTranslation('account');
  const tokens = useQuery(tokensQuery);
  return (
    <QueryResult query={tokens}>
      {(list) =>
        list.length === 0 ? (
          <Empty title={t('tokens.none')}>{t('tokens.noneText')}</Empty>
        ) : (
          <Rows label={t('tokens.title')}>
            {list.map((token) => (
              <TokenRow key={token.id} token={token} onRevoked={onRevoked} />
            ))}
          </Rows>
        )
      }
    </QueryResult>
  );
}

function TokenRow({ token, onRevoked }: { readonly token: ApiToken; readonly onRevoked: () => void }) {
  const { t } = useTranslation(['account', 'delegations']);
  const format = useFormat();
  const made = useMadeBy([token.id]);
  const nameOf = useDelegationName();
  const { id, name, scopes, organization, created_at: since, expires_at: until } = token;
  const lastUse = useLastUse(token);
  return (
    <Row
      title={name === '' ? t('tokens.unnamed', { id }) : name}
      facts={[
        t('life.made', { at: format.date(since) }),
        lastUse ?? t('life.unused'),
        until === null ? t('life.forEver') : t('life.until', { at: format.date(until) }),
        organization !== null && t('life.organization', { name: organization.name }),
      ]}
      actions={
        <ConfirmedButton
          label={t('tokens.revoke')}
          description={t('tokens.revokeThat', { name })}
          title={t('tokens.revokeTitle', { name })}
          act={() => revokeToken(id)}
          onDone={onRevoked}
        >
          <p>{t('tokens.revokeText')}</p>
          {made.length > 0 && <p>{t('delegations:madeByToken', { names: made.map(nameOf).join(', ') })}</p>}
        </ConfirmedButton>
      }
    >
      <Tags label={t('scopes.title')} tags={scopes.map((scope) => t(SCOPE_LABELS[scope]))} />
    </Row>
  );
}
