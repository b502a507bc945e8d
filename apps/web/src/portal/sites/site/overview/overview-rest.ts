/** The parts of the overview below its first view, loaded as one script. */
export { EnergyOfPeriod } from '../../../../shared/energy/energy-of-period.tsx';
export { TodayCurves } from '../../../../shared/energy/today-curves.tsx';
export { HistoryQuestion } from '../device/history-consent-card.tsx';
