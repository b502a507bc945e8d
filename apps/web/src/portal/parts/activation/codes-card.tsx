import type { NewActivationCode } from '@heliograph/client';
import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { OnceShownSecret } from '../../../shared/components/copy/secret.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { queries } from '../../../shared/queries/query-client.ts';
import { Announcement } from '../announcement.tsx';
import { MoreButton } from '../more-button.tsx';
import { QueryResult } from '../query-result.tsx';
import { Rows } from '../rows.tsx';
import { CodeForm } from './code-form.tsx';
import { CodeRow } from './code-row.tsx';
import { codesQuery, type Issuer } from './queries.ts';

/** Codes with which whoever has one activates devices. */
export function CodesCard({ issuer }: { readonly issuer: Issuer }) {
  const { t } = useTranslation('organization');
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<NewActivationCode>();
  const codes = useInfiniteQuery(codesQuery(issuer));
  const refresh = (): void => void queries.invalidateQueries({ queryKey: codesQuery(issuer).queryKey });
  const show = (code: NewActivationCode | undefined): void => {
    setMade(code);
    setMaking(code === undefined);
    refresh();
  };
  return (
    <Card
      title={t('codes.title')}
      action={!isMaking && <Button onClick={() => show(undefined)}>{t('codes.start')}</Button>}
    >
      <Text c="dimmed">{t('codes.text')}</Text>
      {isMaking && <CodeForm issuer={issuer} onMade={show} onCancel={() => setMaking(false)} />}
      {made !== undefined && (
        <Announcement>
          <OnceShownSecret label={t('codes.code')} secret={made.code} />
        </Announcement>
      )}
      <QueryResult query={codes}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('codes.none')} />
          ) : (
            <Rows label={t('codes.title')}>
              {list.map((code) => (
                <CodeRow key={code.id} issuer={issuer} code={code} onRevoked={refresh} />
              ))}
            </Rows>
          )
        }
      </QueryResult>
      <MoreButton list={codes} />
    </Card>
  );
}
