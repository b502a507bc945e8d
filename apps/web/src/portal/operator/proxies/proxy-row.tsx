import type { ProxySummary } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/format/use-format.ts';
import { Row } from '../../parts/rows.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { ProxyActions } from './proxy-actions.tsx';

const STATES = {
  open: { text: 'proxies.open', tone: 'good' },
  draining: { text: 'proxies.draining', tone: 'warning' },
  gone: { text: 'proxies.gone', tone: 'danger' },
} as const satisfies Record<ProxySummary['state'], object>;

interface ProxyRowProps {
  readonly proxy: ProxySummary;
  readonly onChanged: () => void;
}

export function ProxyRow({ proxy, onChanged }: ProxyRowProps) {
  const { t } = useTranslation('operator');
  const format = useFormat();
  const { name, region, region_domain: domain, host, state, sessions, capacity, announced_at: heard } = proxy;
  const { text, tone } = STATES[state];
  return (
    <Row
      title={
        <>
          {name}
          <StatusBadge tone={tone}>{t(text)}</StatusBadge>
        </>
      }
      facts={[
        t('proxies.sessions', {
          count: sessions,
          number: format.number(sessions),
          capacity: format.number(capacity),
        }),
        t('proxies.region', { region }),
        host,
        domain !== null && `*.${domain}`,
        t('proxies.heard', { ago: format.ago(heard) }),
      ]}
      actions={<ProxyActions proxy={proxy} onChanged={onChanged} />}
    />
  );
}
