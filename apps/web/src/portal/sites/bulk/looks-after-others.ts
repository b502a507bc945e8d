import type { PortalSession } from '@heliograph/contracts';

/** Whether the reader looks after the homes of others: for them one home is the beginning of a list. */
export function looksAfterOthers({ organizations, is_operator: isOperator }: PortalSession): boolean {
  return isOperator || organizations.length > 0;
}
