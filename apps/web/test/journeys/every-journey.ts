import { afterAll, beforeAll, describe } from 'vitest';
import { type Fixture, startFixture } from '../fixture.ts';
import type { Look } from '../looks.ts';
import { describeAccount } from './account.ts';
import { describeAlerts } from './alerts.ts';
import { describeApp } from './app.ts';
import { describeBackup } from './backup.ts';
import { describeBrand } from './brand.ts';
import { describeClosing } from './closing.ts';
import { describeColors } from './colors.ts';
import { describeData } from './data.ts';
import { describeDayOne } from './day-one.ts';
import { describeDevice } from './device.ts';
import { describeDiagnostics } from './diagnostics.ts';
import { describeEmail } from './email.ts';
import { describeEnergy } from './energy.ts';
import { describeEnergyPage } from './energy-page.ts';
import { describeEntry } from './entry.ts';
import { describeFleet } from './fleet.ts';
import { describeFreshSignIn } from './fresh-sign-in.ts';
import { describeInterruptions } from './interruptions.ts';
import { describeKeptHistory } from './kept-history.ts';
import { describeKeyboard } from './keyboard.ts';
import { describeNavigation } from './navigation.ts';
import { describeOddBrowsers } from './odd-browsers.ts';
import { describeOperator } from './operator.ts';
import { describeOrders } from './orders.ts';
import { describeOrganization } from './organization.ts';
import { describePasswordFields } from './password-fields.ts';
import { describePeople } from './people.ts';
import { describeRecovery } from './recovery.ts';
import { describeScriptSize } from './script-size.ts';
import { describeSecondFactor } from './second-factor.ts';
import { describeSelling } from './selling.ts';
import { describeSettings } from './settings.ts';
import { describeShop } from './shop.ts';
import { describeSites } from './sites.ts';
import { describeSupport } from './support.ts';
import { describeTeam } from './team.ts';
import { describeTwoTabs } from './two-tabs.ts';

type Journeys = Readonly<Record<string, (fixture: () => Fixture) => void>>;

/**
 * Each journey is made in one look. Forms and dialogs that it opens are checked in the colours of the other as well, and those of a
 * desktop at the width of a phone; `every-page.look.ts` loads the pages themselves in both.
 */
const HOME_JOURNEYS: Readonly<Record<'both' | 'desktop' | 'phone', Journeys>> = {
  /** Their steps differ by the look: bars and menus, fingers and mice. */
  both: {
    navigation: describeNavigation,
    energy: describeEnergy,
  },
  desktop: {
    'the scripts of a first view': describeScriptSize,
    sites: describeSites,
    'light and dark': describeColors,
    'the keyboard': describeKeyboard,
    data: describeData,
    diagnostics: describeDiagnostics,
    'the first day of a self-hoster': describeDayOne,
    'browsers that lack something': describeOddBrowsers,
  },
  phone: {
    entry: describeEntry,
    'the energy page': describeEnergyPage,
    'settings and metrics': describeSettings,
    alerts: describeAlerts,
    'the people of a site': describePeople,
    "the device's own pages": describeDevice,
    'the app': describeApp,
    interruptions: describeInterruptions,
    'backup and restore': describeBackup,
    'the history in the cloud': describeKeptHistory,
  },
};

const ACCOUNT_JOURNEYS: typeof HOME_JOURNEYS = {
  both: {},
  desktop: {
    'a shop': describeShop,
    'a seller': describeSelling,
    'an organization': describeOrganization,
    'the end of an organization': describeClosing,
    // With a second organization the portal has a brand of its own again.
    'a team': describeTeam,
    'a company with a brand': describeBrand,
    'the operator': describeOperator,
    'fields for passwords': describePasswordFields,
    'support sessions': describeRecovery,
    'two tabs of a browser': describeTwoTabs,
  },
  phone: {
    'the account': describeAccount,
    support: describeSupport,
    orders: describeOrders,
    'an email address': describeEmail,
    'a second factor': describeSecondFactor,
    'a fresh sign-in': describeFreshSignIn,
    'a fleet': describeFleet,
  },
};

/** Journeys of those who look at homes, their energy, their settings and their devices. */
export function describeHomeJourneys(look: Look): void {
  describeJourneys(look, HOME_JOURNEYS);
}

/** Journeys of accounts, shops, organizations and the operator. */
export function describeAccountJourneys(look: Look): void {
  describeJourneys(look, ACCOUNT_JOURNEYS);
}

/** One system and one browser for all of them: each journey leaves them in order for the next. */
function describeJourneys(look: Look, { both, desktop, phone }: typeof HOME_JOURNEYS): void {
  const journeys = { ...both, ...(look.isPhone ? phone : desktop) };
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await startFixture(look);
  });
  afterAll(() => fixture?.stop());
  describe.each(Object.entries(journeys))('%s', (_name, describeJourney) => describeJourney(() => fixture));
}
