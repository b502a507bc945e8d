import type { SessionSummary } from '@heliograph/client';
import { Button, Checkbox, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { AccessCard, useDelegationName } from '../../access/access-card.tsx';
import { delegationsQuery, useMadeBy } from '../../access/delegations.ts';
import { AccountPage } from '../../frame/account-page.tsx';
import { cloud } from '../../session/cloud.ts';
import { usePortalSession } from '../../session/session.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { SecondFactorCards } from '../second-factor/second-factor-cards.tsx';
import { endSessions } from './end-credentials.ts';
import { useLastUse } from './use-last-use.ts';

const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: () => cloud.listSessions(),
});

export function Page() {
  const { t } = useTranslation('account');
  const { user } = usePortalSession();
  return (
    <AccountPage part={t('security.title')}>
      <Card title={t('password.title')}>
        <Text>{t('password.text', { email: user?.email ?? '' })}</Text>
        <Button component={Link} href="/password" variant="default" style={{ alignSelf: 'flex-start' }}>
          {t('password.change')}
        </Button>
      </Card>
      <SecondFactorCards />
      <SessionsCard />
      <OwnAccessCard />
    </AccountPage>
  );
}

function OwnAccessCard() {
  const { t } = useTranslation('delegations');
  return (
    <AccessCard
      text={t('text')}
      query={useQuery(delegationsQuery)}
      end={(id) => cloud.endDelegation({ id })}
      endAll={() => cloud.endDelegations({})}
      exception={t('othersStay')}
      keep={(id) => cloud.keepDelegation({ id })}
      onChanged={() => void queries.invalidateQueries(delegationsQuery)}
    />
  );
}

/** People sign in often: the current session and the newest matter. */
const FIRST_SHOWN = 6;

function SessionsCard() {
  const { t } = useTranslation(['account', 'delegations']);
  const [isShowingAll, setShowingAll] = useState(false);
  const sessions = useQuery(sessionsQuery);
  const others = (sessions.data ?? []).filter(({ current }) => !current);
  const ids = others.map(({ id }) => id);
  const [endsMade, setEndsMade] = useState(false);
  const names = useNamesOfMade(ids);
  const refresh = (): void => {
    void queries.invalidateQueries(sessionsQuery);
    void queries.invalidateQueries(delegationsQuery);
  };
  const endAll = (
    <ConfirmedButton
      label={t('sessions.endOthers')}
      title={t('sessions.endOthersTitle')}
      act={() => endSessions(ids, endsMade && names !== '')}
      onDone={refresh}
    >
      <p>{t('sessions.endOthersText', { count: others.length })}</p>
      {names !== '' && (
        <Checkbox
          label={t(others.length === 1 ? 'delegations:madeBySession' : 'delegations:madeBySessions', {
            names,
          })}
          checked={endsMade}
          onChange={(event) => setEndsMade(event.currentTarget.checked)}
        />
      )}
    </ConfirmedButton>
  );
  return (
    <Card title={t('sessions.title')} action={others.length > 0 && endAll}>
      <QueryResult query={sessions}>
        {(list) => (
          <Rows label={t('sessions.title')}>
            {[...list.filter(({ current }) => current), ...others]
              .slice(0, isShowingAll ? list.length : FIRST_SHOWN)
              .map((session) => (
                <SessionRow key={session.id} session={session} onEnded={refresh} />
              ))}
          </Rows>
        )}
      </QueryResult>
      {!isShowingAll && others.length >= FIRST_SHOWN && (
        <Button variant="default" style={{ alignSelf: 'center' }} onClick={() => setShowingAll(true)}>
          {t('sessions.showAll', { count: others.length + 1 })}
        </Button>
      )}
    </Card>
  );
}

/** The names of what sessions made, apart by commas; empty where they made nothing. */
function useNamesOfMade(ids: readonly number[]): string {
  const nameOf = useDelegationName();
  return useMadeBy(ids).map(nameOf).join(', ');
}

interface SessionRowProps {
  readonly session: SessionSummary;
  readonly onEnded: () => void;
}

function SessionRow({ session, onEnded }: SessionRowProps) {
  const { t } = useTranslation(['account', 'delegations']);
  const format = useFormat();
  const { id, current, organization, created_at: begun, expires_at: until } = session;
  const lastUse = useLastUse(session);
  const signedIn = t('sessions.signedIn', { at: format.dateTime(begun) });
  const [endsMade, setEndsMade] = useState(false);
  const names = useNamesOfMade([id]);
  const end = (
    <ConfirmedButton
      label={t('sessions.end')}
      description={t('sessions.endThat', { at: format.dateTime(begun) })}
      title={t('sessions.endTitle')}
      act={() => endSessions([id], endsMade && names !== '')}
      onDone={onEnded}
    >
      <p>{t('sessions.endText', { at: format.dateTime(begun) })}</p>
      {names !== '' && (
        <Checkbox
          label={t('delegations:madeBySession', { names })}
          checked={endsMade}
          onChange={(event) => setEndsMade(event.currentTarget.checked)}
        />
      )}
    </ConfirmedButton>
  );
  return (
    <Row
      title={
        <>
          {signedIn}
          {current && <StatusBadge>{t('sessions.current')}</StatusBadge>}
        </>
      }
      facts={[
        lastUse,
        until !== null && t('life.until', { at: format.date(until) }),
        organization !== null && t('life.organization', { name: organization.name }),
      ]}
      actions={current ? undefined : end}
    />
  );
}
