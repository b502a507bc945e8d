import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../../shared/components/card/card.tsx';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { cloud } from '../../../session/cloud.ts';
import { ConfirmedButton } from '../../../ui/confirmed-button.tsx';
import { siteQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';

/** Asks the owner once whether the cloud may keep the history of the site. */
export function HistoryQuestion() {
  const { t } = useTranslation('siteDevice');
  const { site, role } = useSite();
  const { decide, isPending, error } = useDecision();
  if (role !== 'owner' || site.history_consent.decided_at !== null) return null;
  return (
    <Card title={t('history.title')}>
      <Text>{t('history.ask')}</Text>
      <Text size="sm" c="dimmed">
        {t('history.detail')}
      </Text>
      <FormError error={error} />
      <Group gap="sm">
        <Button variant="default" loading={isPending} onClick={() => decide(true)}>
          {t('history.agree')}
        </Button>
        <Button variant="subtle" disabled={isPending} onClick={() => decide(false)}>
          {t('history.decline')}
        </Button>
      </Group>
    </Card>
  );
}

/** Whether the cloud keeps the history of the site, which its owner changes. */
export function HistoryConsentCard() {
  const { t } = useTranslation('siteDevice');
  const { date } = useFormat();
  const { site, role } = useSite();
  const { decide, act, onDone, isPending, error } = useDecision();
  const { agreed, decided_at: decidedAt } = site.history_consent;
  return (
    <Card title={t('history.title')}>
      <Text>
        {agreed && decidedAt !== null ? t('history.on', { date: date(decidedAt) }) : t('history.off')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('history.detail')}
      </Text>
      <FormError error={error} />
      {role === 'owner' && (
        <Group gap="sm">
          {agreed ? (
            <ConfirmedButton
              label={t('history.withdraw')}
              title={t('history.confirm')}
              act={() => act(false)}
              onDone={onDone}
            >
              {t('history.detail')}
            </ConfirmedButton>
          ) : (
            <Button variant="default" loading={isPending} onClick={() => decide(true)}>
              {t('history.agree')}
            </Button>
          )}
        </Group>
      )}
    </Card>
  );
}

function useDecision() {
  const queries = useQueryClient();
  const { site } = useSite();
  const act = (agreed: boolean) => cloud.setSiteHistoryConsent({ id: site.id, agreed });
  const onDone = () => void queries.invalidateQueries({ queryKey: siteQuery(site.id).queryKey, exact: true });
  const { submit, isPending, error } = useSubmit(act, { onDone });
  return { decide: submit, act, onDone, isPending, error };
}
