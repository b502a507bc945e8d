import type { Locale } from '@heliograph/contracts';
import { switchLocale } from '../../shared/i18n/switch-locale.ts';
import { Preferences } from '../../shared/preferences/preferences.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { cloud } from '../session/cloud.ts';
import { sessionQuery, usePortalSession } from '../session/session.ts';

/** The language belongs to the account where there is a session: mails are written in it, too. */
export function PortalPreferences() {
  const { user } = usePortalSession();
  if (user === null) return <Preferences />;
  const keep = async (locale: Locale): Promise<void> => {
    try {
      await cloud.updateCurrentUser({ locale });
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    } catch {
      // A language that was not stored does not stay.
      await switchLocale(user.locale);
    }
  };
  return <Preferences onLocale={(locale) => void keep(locale)} />;
}
