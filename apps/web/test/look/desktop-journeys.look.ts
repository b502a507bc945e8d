import { describeEveryJourney } from '../journeys/every-journey.ts';
import { LOOKS } from '../looks.ts';

describeEveryJourney(LOOKS.desktop);
