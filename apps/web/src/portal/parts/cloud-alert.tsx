import type { SiteAlert } from '@heliograph/contracts';
import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { AlertEntry } from '../../shared/alerts/alert-entry.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { useFormat } from '../../shared/format/use-format.ts';
import { cloud } from '../session/cloud.ts';
import { AlertForm } from './alert-form.tsx';
import { SiteBadge } from './named-site.tsx';
import { ALERTS_KEY } from './open-alerts.ts';

interface CloudAlertProps {
  readonly alert: SiteAlert;
  readonly showsSite: boolean;
}

/** An alert as the cloud has it. Those who may change it acknowledge it, and assign it, snooze it and note something. */
export function CloudAlert({ alert, showsSite }: CloudAlertProps) {
  const { t } = useTranslation(['alerts', 'alertWork']);
  const { dateTime } = useFormat();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: ALERTS_KEY });
  const { submit, isPending, error } = useSubmit(
    (acknowledged: boolean) => cloud.changeSiteAlert({ id: alert.site_id, alert_id: alert.id, acknowledged }),
    { onDone: refresh },
  );
  const { assignee, snoozed_until: snoozedUntil, note, state } = alert;
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();
  const details = [
    assignee !== null && t('assigned', { ns: 'alertWork', name: assignee.name }),
    isSnoozed && t('snoozed', { ns: 'alertWork', time: dateTime(snoozedUntil) }),
    note,
  ];
  const place = showsSite && (
    <>
      <Link href={`/sites/${alert.site_id}/alerts`}>{alert.site_name ?? `#${alert.site_id}`}</Link>{' '}
      <SiteBadge siteId={alert.site_id} />
      {' · '}
    </>
  );
  const isRaised = state === 'raised';
  return (
    <AlertEntry
      alert={alert}
      place={place}
      details={details.filter((detail) => detail !== false && detail !== null)}
      form={
        isOpen && (
          <AlertForm
            alert={alert}
            onDone={() => {
              setOpen(false);
              // The form goes, and the focus with it.
              opener.current?.focus();
              void refresh();
            }}
          />
        )
      }
    >
      {alert.may_change && state !== 'cleared' && (
        <Group gap="xs" justify="end">
          <Button
            variant={isRaised ? 'default' : 'subtle'}
            loading={isPending}
            onClick={() => submit(isRaised)}
          >
            {isRaised ? t('acknowledge') : t('takeBack', { ns: 'alertWork' })}
          </Button>
          <Button ref={opener} variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t('change', { ns: 'alertWork' })}
          </Button>
          <FormError error={error} />
        </Group>
      )}
    </AlertEntry>
  );
}
