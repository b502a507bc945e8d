import { describeHomeJourneys } from '../journeys/every-journey.ts';
import { LOOKS } from '../looks.ts';

describeHomeJourneys(LOOKS.desktop);
