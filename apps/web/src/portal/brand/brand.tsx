import type { ReactNode } from 'react';
import { usePortalSession } from '../session/session.ts';
import { useBrandColors } from './use-brand-colors.ts';

/** Gives the pages the colours of the organization whose pages they are. */
export function Brand({ children }: { children: ReactNode }) {
  useBrandColors(usePortalSession().home);
  return children;
}
