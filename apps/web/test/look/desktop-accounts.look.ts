import { describeAccountJourneys } from '../journeys/every-journey.ts';
import { LOOKS } from '../looks.ts';

describeAccountJourneys(LOOKS.desktop);
