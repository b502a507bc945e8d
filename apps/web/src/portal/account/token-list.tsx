import type { ApiToken } from '@heliograph/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/components/states/empty.tsx';
import { useFormat } from '../../shared/format/use-format.ts';
import { ConfirmedButton } from '../parts/confirmed-button.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { Row, Rows } from '../parts/rows.tsx';
import { SCOPE_LABELS } from '../parts/scope-labels.ts';
import { Tags } from '../parts/tags.tsx';
import { cloud } from '../session/cloud.ts';
import { tokensQuery } from './queries.ts';
import { useLastUse } from './use-last-use.ts';

export function TokenList({ onRevoked }: { readonly onRevoked: () => void }) {
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
  const { t } = useTranslation('account');
  const format = useFormat();
  const { id, name, scopes, organization, created_at: made, expires_at: until } = token;
  const lastUse = useLastUse(token);
  return (
    <Row
      title={name === '' ? t('tokens.unnamed', { id }) : name}
      facts={[
        t('life.made', { at: format.date(made) }),
        lastUse ?? t('life.unused'),
        until === null ? t('life.forEver') : t('life.until', { at: format.date(until) }),
        organization !== null && t('life.organization', { name: organization.name }),
      ]}
      actions={
        <ConfirmedButton
          label={t('tokens.revoke')}
          description={t('tokens.revokeThat', { name })}
          title={t('tokens.revokeTitle', { name })}
          act={() => cloud.tokens.revoke(id)}
          onDone={onRevoked}
        >
          {t('tokens.revokeText')}
        </ConfirmedButton>
      }
    >
      <Tags label={t('scopes.title')} tags={scopes.map((scope) => t(SCOPE_LABELS[scope]))} />
    </Row>
  );
}
