import { changedDetail } from '@heliograph/contracts/audit-actions';
import { shopDetails } from './shop-details.ts';

/** One detail of an audit entry. */
export interface Detail {
  /** One of `AUDIT_DETAILS`, where it is known. */
  readonly name: string;
  readonly value: unknown;
  /** The former value; absent where there was none or it is unknown. */
  readonly before?: unknown;
}

/** Pictures and texts, of which a record keeps digests. */
const DIGESTED: readonly string[] = ['logo', 'terms', 'privacy'];

/** Ids of records whose number, which people know, stands beside. */
const IDS: readonly string[] = ['order_id'];

/** The details of an entry besides its actor, time and target. */
export function auditDetails(action: string, details: Readonly<Record<string, unknown>>): readonly Detail[] {
  if (isChange(details)) {
    const { from, to, ...others } = details;
    if (action === 'shop.changed') return shopDetails(from, to);
    return [changed(changedDetail(action) ?? '', from, to), ...auditDetails(action, others)];
  }
  const shown = Object.entries(details).filter(([name]) => !IDS.includes(name));
  return shown.map(([name, value]) => {
    if (!isChange(value)) return { name, value };
    const { from, to } = value;
    return DIGESTED.includes(name) ? { name, value: whatBecame(from, to) } : changed(name, from, to);
  });
}

/** A role that a person gains or loses has no other side. */
function changed(name: string, from: unknown, to: unknown): Detail {
  if (name !== 'role') return { name, value: to, before: from };
  if (from === null) return { name, value: to };
  return to === null ? { name: 'former_role', value: from } : { name, value: to, before: from };
}

function whatBecame(from: unknown, to: unknown): 'added' | 'replaced' | 'removed' {
  if (from === null) return 'added';
  return to === null ? 'removed' : 'replaced';
}

function isChange(value: unknown): value is { readonly from: unknown; readonly to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}
