import { afterAll, beforeAll, describe } from 'vitest';
import { describeAccount } from './journeys/account.ts';
import { describeDevice } from './journeys/device.ts';
import { describeElsewhere } from './journeys/elsewhere.ts';
import { describeEnergy } from './journeys/energy.ts';
import { describeEntry } from './journeys/entry.ts';
import { describeMoving } from './journeys/moving.ts';
import { describeOperator } from './journeys/operator.ts';
import { describeOrganization } from './journeys/organization.ts';
import { describePeople } from './journeys/people.ts';
import { describeSettings } from './journeys/settings.ts';
import { describeSites } from './journeys/sites.ts';
import { describeWeight } from './journeys/weight.ts';
import { startWorld, type World } from './world.ts';

// One system and one browser for all journeys: each leaves them in order for the next.
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const journeys: Readonly<Record<string, (world: () => World) => void>> = {
  'what a first view weighs': describeWeight,
  'ways in': describeEntry,
  sites: describeSites,
  'from page to page': describeMoving,
  'what flows, and how it went': describeEnergy,
  'settings and metrics': describeSettings,
  'the people of a site': describePeople,
  'the own account': describeAccount,
  'an organization': describeOrganization,
  'the service, for its operators': describeOperator,
  "the device's own pages": describeDevice,
  'what happens elsewhere': describeElsewhere,
};
describe.each(Object.entries(journeys))('%s', (_name, describeJourney) => describeJourney(() => world));
