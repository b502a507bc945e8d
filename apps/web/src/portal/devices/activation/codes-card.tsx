import type { ActivationCode, CreatedActivationCode } from '@heliograph/client';
import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { OnceShownSecret } from '../../../shared/components/copy/secret.tsx';
import { FormFooter } from '../../../shared/components/form/form-footer.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { Announcement } from '../../ui/announcement.tsx';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { endOfDay } from '../../ui/end-of-day.ts';
import { MoreButton } from '../../ui/lists/more-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { codesQuery, type Issuer } from './queries.ts';

/** Codes that activate a device of anyone who has one. */
export function CodesCard({ issuer }: { readonly issuer: Issuer }) {
  const { t } = useTranslation('organization');
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedActivationCode>();
  const codes = useInfiniteQuery(codesQuery(issuer));
  const refresh = (): void => void queries.invalidateQueries({ queryKey: codesQuery(issuer).queryKey });
  const show = (code: CreatedActivationCode | undefined): void => {
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
      {isMaking && <CodeForm issuer={issuer} onCreated={show} onCancel={() => setMaking(false)} />}
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

interface CodeValues {
  /** A text while it is typed. */
  readonly uses: number | string;
  /** `2026-12-31`; empty for a code that never expires. */
  readonly expiresAt: string;
}

interface CodeFormProps {
  readonly issuer: Issuer;
  readonly onCreated: (code: CreatedActivationCode) => void;
  readonly onCancel: () => void;
}

function CodeForm({ issuer, onCreated, onCancel }: CodeFormProps) {
  const { t } = useTranslation('organization');
  const form = useApiForm<CodeValues, CreatedActivationCode>({
    initialValues: { uses: 1, expiresAt: '' },
    send: ({ uses, expiresAt }) => {
      const terms = { uses: Number(uses), expires_at: endOfDay(expiresAt)?.toISOString() };
      return withFreshSignIn(() =>
        issuer === 'service'
          ? cloud.createServiceActivationCode(terms)
          : cloud.createActivationCode({ id: issuer, ...terms }),
      );
    },
    onDone: onCreated,
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md">
        <Group gap="md" align="flex-start">
          <NumberInput
            label={t('codes.uses')}
            required
            autoFocus
            min={1}
            allowDecimal={false}
            hideControls
            {...form.getInputProps('uses')}
          />
          <TextInput type="date" label={t('codes.lastDay')} {...form.getInputProps('expiresAt')} />
        </Group>
        <FormFooter form={form} submitLabel={t('codes.make')} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

interface CodeRowProps {
  readonly issuer: Issuer;
  readonly code: ActivationCode;
  readonly onRevoked: () => void;
}

function CodeRow({ issuer, code, onRevoked }: CodeRowProps) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const { id, uses_left: left, expires_at: until, created_at: made } = code;
  const isExpired = until !== null && new Date(until).getTime() < Date.now();
  const name = t('codes.name', { id });
  return (
    <Row
      title={name}
      facts={[
        left === 0 ? t('codes.usedUp') : t('codes.usesLeft', { count: left }),
        until === null
          ? t('codes.forEver')
          : isExpired
            ? t('codes.over', { at: format.date(until) })
            : t('codes.until', { at: format.date(until) }),
        t('codes.made', { at: format.date(made) }),
      ]}
      actions={
        <ConfirmedButton
          label={t('codes.revoke')}
          description={t('codes.revokeThat', { name })}
          title={t('codes.revokeTitle')}
          act={() =>
            issuer === 'service'
              ? cloud.revokeServiceActivationCode({ code_id: id })
              : cloud.revokeActivationCode({ id: issuer, code_id: id })
          }
          onDone={onRevoked}
        >
          {t('codes.revokeText')}
        </ConfirmedButton>
      }
    />
  );
}
