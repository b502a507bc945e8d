import type { PageSource } from '../../shared/routing/page-source.ts';

/** A page as the table of the portal has it. */
export interface PortalPageSource extends PageSource {
  /** `anyone` is for those who are not signed in, too; `operator` for who runs the service. */
  readonly access: 'anyone' | 'user' | 'operator';
  /** Whether it stands alone, without the navigation of the portal. */
  readonly isBare?: boolean;
}
