import type { Locale } from '@heliograph/contracts';
import { switchLocale } from '../../shared/i18n/switch-locale.ts';
import { Preferences } from '../../shared/preferences/preferences.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { cloud } from '../session/cloud.ts';
import { sessionQuery, usePortalSession } from '../session/session.ts';

/** A language is the account's where somebody is signed in: mails are written in it, too. */
export function PortalPreferences() {
  const { user } = usePortalSession();
  if (user === null) return <Preferences />;
  const keep = async (locale: Locale): Promise<void> => {
    try {
      await cloud.setLocale(locale);
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    } catch {
      // What could not be kept does not look as if it was.
      await switchLocale(user.locale);
    }
  };
  return <Preferences onLocale={(locale) => void keep(locale)} />;
}
