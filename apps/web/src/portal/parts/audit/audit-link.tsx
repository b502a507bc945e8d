import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface AuditLinkProps {
  /** Where there is more of it; false where the reader finds nothing. */
  readonly to: string | false;
  readonly children: ReactNode;
}

/** What a record is about. */
export function AuditLink({ to, children }: AuditLinkProps) {
  return to === false ? children : <Link href={to}>{children}</Link>;
}
