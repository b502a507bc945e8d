import type { AuditEntry } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useFormat } from '../../../shared/format/use-format.ts';
import { Row } from '../rows.tsx';
import { Tags } from '../tags.tsx';
import { ACTION_TEXTS, isKnownAction } from './action-texts.ts';
import { shownDetails } from './shown-details.ts';

export function AuditRow({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const { action, actor, via, at, address, site_id: site, user_id: user, device_uid: device } = entry;
  const details = shownDetails(entry.details).map(({ name, text }) =>
    name === '' ? text : `${name}: ${text}`,
  );
  return (
    <Row
      title={isKnownAction(action) ? t(ACTION_TEXTS[action]) : action}
      facts={[
        <time key="at" dateTime={at}>
          {format.dateTime(at)}
        </time>,
        actor === null ? t('audit.by', { via }) : actor.name || actor.email,
        site !== null && <Link href={`/sites/${site}`}>{t('audit.site', { id: site })}</Link>,
        user !== null && user !== actor?.id && t('audit.account', { id: user }),
        device !== null && t('audit.device', { uid: device }),
        address,
      ]}
    >
      {details.length > 0 && <Tags label={t('audit.details')} tags={details} />}
    </Row>
  );
}
