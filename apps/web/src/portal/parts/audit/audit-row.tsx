import type { AuditEntry } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/format/use-format.ts';
import { Row } from '../rows.tsx';
import { Tags } from '../tags.tsx';
import { ACTION_LABELS, isKnownAction } from './action-labels.ts';
import { AuditLink } from './audit-link.tsx';
import { personLabel } from './person-label.ts';
import { useDetailLabels } from './use-detail-labels.ts';
import { viaLabel } from './via-label.ts';

interface AuditRowProps {
  readonly entry: AuditEntry;
  /** Whether the reader runs the service: there are pages about everything for them. */
  readonly isOperators: boolean;
}

/** Who did what, on what, when, and through what. */
export function AuditRow({ entry, isOperators }: AuditRowProps) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const details = useDetailLabels(entry);
  const { action, actor, user, via, at, address, device_uid: device } = entry;
  const { site_id: site, organization_id: organization, user_id: account } = entry;
  const through = viaLabel(via);
  return (
    <Row
      title={isKnownAction(action) ? t(ACTION_LABELS[action]) : action}
      facts={[
        <time key="at" dateTime={at}>
          {format.dateTime(at)}
        </time>,
        actor !== null && (
          <AuditLink to={isOperators && searchPath('/operator/users', actor.email)}>
            {personLabel(actor)}
          </AuditLink>
        ),
        site !== null && (
          <AuditLink to={`/sites/${site}`}>{t('audit.site', { name: entry.site_name ?? site })}</AuditLink>
        ),
        isOperators && organization !== null && (
          <AuditLink to={`/organizations/${organization}`}>
            {t('audit.organization', { name: entry.organization_name ?? organization })}
          </AuditLink>
        ),
        account !== null && account !== actor?.id && (
          <AuditLink to={isOperators && user !== null && searchPath('/operator/users', user.email)}>
            {t('audit.account', { name: user === null ? account : personLabel(user) })}
          </AuditLink>
        ),
        device !== null && (
          <AuditLink to={isOperators && searchPath('/operator', device)}>
            {t('audit.device', { uid: device })}
          </AuditLink>
        ),
        through === undefined ? via : t(through),
        address,
      ]}
    >
      {details.length > 0 && <Tags label={t('audit.details')} tags={details} />}
    </Row>
  );
}

function searchPath(path: string, words: string): string {
  return `${path}?${new URLSearchParams({ q: words })}`;
}
