import type { AuditEntry } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { Rows } from '../rows.tsx';
import { AuditRow } from './audit-row.tsx';

interface AuditListProps {
  readonly entries: readonly AuditEntry[];
  /** Whether the reader runs the service. */
  readonly isOperators?: boolean;
}

/** Who did what, the newest first. */
export function AuditList({ entries, isOperators = false }: AuditListProps) {
  const { t } = useTranslation('organization');
  if (entries.length === 0) return <Empty title={t('audit.none')} />;
  return (
    <Rows label={t('audit.title')}>
      {entries.map((entry) => (
        <AuditRow key={entry.id} entry={entry} isOperators={isOperators} />
      ))}
    </Rows>
  );
}
