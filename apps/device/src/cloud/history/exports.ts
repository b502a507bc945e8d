export { daysBetween, historyOfDay } from './history-days.ts';
export { endOfDividedHour, partsAfterMove, type SentPart } from './sent-parts.ts';
