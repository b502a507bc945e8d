import type { RecoverySession } from '@heliograph/contracts';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../../shared/components/card/card.tsx';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../../shared/components/form/use-api-form.ts';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { Empty } from '../../../../shared/components/states/empty.tsx';
import { cloud } from '../../../session/cloud.ts';
import { withFreshSignIn } from '../../../session/fresh-sign-in.ts';
import { ConfirmedButton } from '../../../ui/confirmed-button.tsx';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { QueryResult } from '../../../ui/lists/query-result.tsx';
import { Rows } from '../../../ui/lists/rows.tsx';
import { browsingUrl } from '../reach/browsing-url.ts';
import { useSite } from '../site-context.tsx';
import { AccessFields } from './access-fields.tsx';
import { OpenForm } from './open-form.tsx';
import { recoveryQuery, shownSessions } from './queries.ts';
import { SessionRow } from './session-row.tsx';

/** Hours of an extension. */
const EXTENSION_H = 24;

/** The access of support to the site's device: now, on request, and before. */
export function Page() {
  const { t } = useTranslation('recovery');
  const { site, may } = useSite();
  const queries = useQueryClient();
  const list = useInfiniteQuery(recoveryQuery(site.id));
  const refresh = (): void => {
    for (const queryKey of shownSessions(site.id)) void queries.invalidateQueries({ queryKey });
  };
  return (
    <QueryResult query={list}>
      {(sessions) => {
        const open = sessions.filter(isOpen);
        const closed = sessions.filter((session) => !isOpen(session));
        return (
          <Stack gap="1.25rem">
            <Card title={t('current')}>
              <Text c="dimmed">{t('intro')}</Text>
              {open.length === 0 ? (
                <Empty title={t('none')}>{t('noneText')}</Empty>
              ) : (
                <Rows label={t('current')}>
                  {open.map((session) => (
                    <OpenSession key={session.id} session={session} onChange={refresh} />
                  ))}
                </Rows>
              )}
            </Card>
            {open.length === 0 && (may('consent') || may('support')) && (
              <Card title={t(may('consent') ? 'letIn' : 'ask')}>
                <OpenForm onDone={refresh} />
              </Card>
            )}
            {closed.length > 0 && (
              <Card title={t('past')}>
                <Rows label={t('past')}>
                  {closed.map((session) => (
                    <SessionRow key={session.id} session={session} isSupport={!may('consent')} />
                  ))}
                </Rows>
                <MoreButton list={list} />
              </Card>
            )}
          </Stack>
        );
      }}
    </QueryResult>
  );
}

const isOpen = ({ state }: RecoverySession): boolean => state === 'requested' || state === 'active';

interface OpenSessionProps {
  readonly session: RecoverySession;
  readonly onChange: () => void;
}

function OpenSession({ session, onChange }: OpenSessionProps) {
  const { t } = useTranslation('recovery');
  const { may } = useSite();
  const { state, site, id } = session;
  const of = { id: site.id, session_id: id };
  const isRequested = state === 'requested';
  if (isRequested && may('consent'))
    return (
      <SessionRow session={session} isSupport={false}>
        <ApproveForm session={session} onDone={onChange} />
      </SessionRow>
    );
  return (
    <SessionRow
      session={session}
      isSupport={!may('consent')}
      actions={
        <>
          {!isRequested && may('consent') && <ExtendButton session={session} onChange={onChange} />}
          <ConfirmedButton
            label={t(isRequested ? 'withdraw' : 'end')}
            title={t(isRequested ? 'withdraw' : 'endTitle')}
            act={() => cloud.endRecoverySession(of)}
            onDone={onChange}
          >
            {isRequested ? session.reason : t('endText')}
          </ConfirmedButton>
        </>
      }
    >
      {!isRequested && may('support') && <Connect />}
    </SessionRow>
  );
}

function ExtendButton({ session: { site, id }, onChange }: OpenSessionProps) {
  const { t } = useTranslation('recovery');
  const { submit, isPending, error } = useSubmit(
    () =>
      withFreshSignIn(() => cloud.extendRecoverySession({ id: site.id, session_id: id, hours: EXTENSION_H })),
    { onDone: onChange },
  );
  return (
    <>
      <FormError error={error} />
      <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
        {t('extend')}
      </Button>
    </>
  );
}

/** For the party of the session: the device's own pages, as far as approved. */
function Connect() {
  const { t } = useTranslation('recovery');
  const { site } = useSite();
  const { submit, isPending, error } = useSubmit(async (url: string) => {
    const authorization = await cloud.authorizeSite({ id: site.id, roles: 'recovery' });
    location.assign(browsingUrl(url, authorization));
  });
  return (
    <>
      <FormError error={error} />
      <Button
        style={{ alignSelf: 'flex-start' }}
        loading={isPending}
        disabled={site.url === null}
        onClick={() => site.url !== null && submit(site.url)}
      >
        {t('connect')}
      </Button>
      <Text size="sm" c="dimmed">
        {t('connectHint')}
      </Text>
    </>
  );
}

interface ApproveFormProps {
  readonly session: RecoverySession;
  readonly onDone: () => void;
}

/** Answers a request: with no more than was asked for, and settings only by choice. */
function ApproveForm({ session, onDone }: ApproveFormProps) {
  const { t } = useTranslation('recovery');
  const of = { id: session.site.id, session_id: session.id };
  const form = useApiForm({
    initialValues: {
      access: session.access === 'settings' ? 'repair' : session.access,
      hours: String(session.hours),
    },
    send: ({ access, hours }) =>
      withFreshSignIn(() => cloud.approveRecoverySession({ ...of, access, hours: Number(hours) })),
    onDone,
  });
  const declining = useSubmit(() => cloud.declineRecoverySession(of), { onDone });
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="md" maw="40rem">
        <AccessFields
          access={form.getInputProps('access')}
          hours={form.getInputProps('hours')}
          most={session}
        />
        <FormError error={form.error ?? declining.error} />
        <Group gap="sm">
          <Button type="submit" loading={form.isPending}>
            {t('approve')}
          </Button>
          <Button variant="default" loading={declining.isPending} onClick={() => declining.submit(undefined)}>
            {t('decline')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
