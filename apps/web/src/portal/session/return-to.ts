import { ownPath } from '../../shared/routing/own-path.ts';

/** Where to go after signing in: a path of these pages. @param wanted what the link says */
export function returnPath(wanted: string | null): string {
  return ownPath(wanted, '/sites');
}
