import type { Delegation } from '@heliograph/client';
import { Button, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { Empty } from '../../shared/components/states/empty.tsx';
import { personName } from '../../shared/format/person-name.ts';
import { useFormat } from '../../shared/format/use-format.ts';
import { withFreshSignIn } from '../session/fresh-sign-in.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { QueryResult } from '../ui/lists/query-result.tsx';
import { Row, Rows } from '../ui/lists/rows.tsx';
import { NamedSite } from '../ui/named-site.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';

interface AccessActions {
  readonly end: (id: number) => Promise<unknown>;
  /** Undefined for readers who may not. */
  readonly keep: ((id: number) => Promise<unknown>) | undefined;
  readonly onChanged: () => void;
}

interface AccessCardProps extends AccessActions {
  readonly text?: string;
  readonly query: UseQueryResult<Delegation[]>;
  readonly endAll: () => Promise<unknown>;
  /** A sentence about those that `endAll` leaves. */
  readonly exception?: string;
}

/** Delegations of an account or a site, with their authors and their end. */
export function AccessCard({ text, query, endAll, exception, ...actions }: AccessCardProps) {
  const { t } = useTranslation('delegations');
  const isMany = (query.data ?? []).filter(({ id }) => id !== null).length > 1;
  return (
    <Card
      title={t('title')}
      action={
        isMany && (
          <ConfirmedButton
            label={t('endAll')}
            title={t('endAllTitle')}
            act={endAll}
            onDone={actions.onChanged}
          >
            {exception === undefined ? t('endAllText') : `${t('endAllText')} ${exception}`}
          </ConfirmedButton>
        )
      }
    >
      {text !== undefined && <Text c="dimmed">{text}</Text>}
      <QueryResult query={query}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('none')} />
          ) : (
            <Rows label={t('title')}>
              {[...list].sort(bySuspension).map((delegation) => (
                <AccessRow key={keyOf(delegation)} delegation={delegation} {...actions} />
              ))}
            </Rows>
          )
        }
      </QueryResult>
    </Card>
  );
}

/** Those of a device have no id. */
function keyOf({ id, kind, name, site }: Delegation): string | number {
  return id ?? `${site?.id} ${kind} ${name}`;
}

/** Those that wait for a decision come first. */
function bySuspension(one: Delegation, other: Delegation): number {
  return Number(other.state === 'suspended') - Number(one.state === 'suspended');
}

/** The name of a delegation; its kind for one without. */
export function useDelegationName(): (delegation: Delegation) => string {
  const { t } = useTranslation('delegations');
  return ({ name, kind }) => (name === '' ? t(`kinds.${kind}`) : name);
}

function AccessRow({
  delegation,
  end,
  keep,
  onChanged,
}: AccessActions & { readonly delegation: Delegation }) {
  const { t } = useTranslation('delegations');
  const { date, dateTime } = useFormat();
  const name = useDelegationName()(delegation);
  const { id, kind, url, organization, site, author, credential, created_at, expires_at } = delegation;
  const { suspended_for: reason } = delegation;
  const made = date(created_at);
  const of = (action: string): string => t('actionOf', { action, name });
  return (
    <Row
      title={
        <>
          {name}
          {reason !== null && <StatusBadge tone="warning">{t('suspended')}</StatusBadge>}
        </>
      }
      facts={[
        name !== t(`kinds.${kind}`) && t(`kinds.${kind}`),
        url,
        organization !== null && organization.name !== name && organization.name,
        site !== null && <NamedSite key="site" site={site} />,
        author === null ? t('since', { date: made }) : t('by', { name: personName(author), date: made }),
        credential?.kind === 'api' &&
          t('withToken', { name: credential.name === null ? `#${credential.id}` : credential.name }),
        expires_at !== null && t('until', { date: dateTime(expires_at) }),
        reason !== null && t(`reasons.${reason}`),
      ]}
      actions={
        id === null ? (
          <Button component={Link} href={`/sites/${site?.id}/device`} variant="default">
            {t('atDevice')}
          </Button>
        ) : (
          <>
            {reason !== null && keep !== undefined && (
              <ConfirmedButton
                label={t('keep')}
                description={of(t('keep'))}
                title={t('keepTitle', { name })}
                tone="primary"
                act={() => withFreshSignIn(() => keep(id))}
                onDone={onChanged}
              >
                {t('keepText')}
              </ConfirmedButton>
            )}
            <ConfirmedButton
              label={t('end')}
              description={of(t('end'))}
              title={t('endTitle', { name })}
              act={() => end(id)}
              onDone={onChanged}
            >
              {t('endText')}
            </ConfirmedButton>
          </>
        )
      }
    />
  );
}
