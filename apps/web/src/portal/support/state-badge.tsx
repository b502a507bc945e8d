import type { TicketState } from '@heliograph/contracts';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../ui/status-badge.tsx';

const STATES = {
  open: { label: 'states.open', tone: 'neutral' },
  pending: { label: 'states.pending', tone: 'warning' },
  resolved: { label: 'states.resolved', tone: 'good' },
  closed: { label: 'states.closed', tone: 'neutral' },
} as const satisfies Record<TicketState, object>;

export function StateBadge({ state }: { readonly state: TicketState }) {
  const { t } = useTranslation('tickets');
  const { label, tone } = STATES[state];
  return <StatusBadge tone={tone}>{t(label)}</StatusBadge>;
}
