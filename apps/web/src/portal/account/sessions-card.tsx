import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { ConfirmedButton } from '../parts/confirmed-button.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { Rows } from '../parts/rows.tsx';
import { revokeSessions } from './end-others.ts';
import { sessionsQuery } from './queries.ts';
import { SessionRow } from './session-row.tsx';

/** Who signs in often has many; the current one and the newest are what matters. */
const FIRST_SHOWN = 6;

/** Where the account is signed in. */
export function SessionsCard() {
  const { t } = useTranslation('account');
  const [isShowingAll, setShowingAll] = useState(false);
  const sessions = useQuery(sessionsQuery);
  const others = (sessions.data ?? []).filter(({ current }) => !current);
  const refresh = (): void => void queries.invalidateQueries(sessionsQuery);
  const endAll = (
    <ConfirmedButton
      label={t('sessions.endOthers')}
      title={t('sessions.endOthersTitle')}
      act={() => revokeSessions(others)}
      onDone={refresh}
    >
      {t('sessions.endOthersText', { count: others.length })}
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
