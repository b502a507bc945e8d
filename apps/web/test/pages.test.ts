import { afterAll, beforeAll, describe } from 'vitest';
import { describeEveryPage } from './every-page/every-page.ts';
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
  'every page': describeEveryPage,
};
describe.each(Object.entries(journeys))('%s', (_name, describeJourney) => describeJourney(() => world));
