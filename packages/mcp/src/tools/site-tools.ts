import { getEnergy } from './get-energy.ts';
import { getHistory } from './get-history.ts';
import { getMetrics } from './get-metrics.ts';
import { listAlerts } from './list-alerts.ts';
import { status } from './status.ts';
import type { ToolDefinition } from './tool.ts';

export { getEnergy, MAX_ENERGY_STEPS } from './get-energy.ts';
export {
  getHistory,
  MAX_POINTS,
  MAX_STATES,
  STEP_NAMES,
  type StepName,
  TIME_FORMS,
} from './get-history.ts';
export { DEFAULT_METRICS, getMetrics } from './get-metrics.ts';
export { listAlerts, MAX_ALERTS } from './list-alerts.ts';
export { IDLE_BELOW_W, MAX_PROBLEM_TOPICS, MAX_UNITS, status } from './status.ts';

/**
 * The tools of one site, by their names on the device. They are defined here and run by the device, so that a server
 * of many sites lists the same definitions.
 */
export const siteTools: readonly ToolDefinition[] = [status, getMetrics, getEnergy, getHistory, listAlerts];
