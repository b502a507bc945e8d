export {
  PARSE_ERROR,
  protocolError,
  type ToolRequest,
  type ToolResponse,
} from './json-rpc.ts';
export type { AllowedOrigin } from './reject-invalid-request.ts';
export type { FailureReport } from './tool-calls.ts';
export { createToolServer, type ToolServer, type ToolServerOptions } from './tool-server.ts';
export { enumOf } from './tools/fields.ts';
export { parseTimeRange, type TimeRange } from './tools/parse-time-range.ts';
export { type ReadableEnergy, readEnergy } from './tools/read-energy.ts';
export {
  DEFAULT_METRICS,
  getEnergy,
  getHistory,
  getMetrics,
  IDLE_BELOW_W,
  listAlerts,
  MAX_ALERTS,
  MAX_ENERGY_STEPS,
  MAX_POINTS,
  MAX_PROBLEM_TOPICS,
  MAX_STATES,
  MAX_UNITS,
  STEP_NAMES,
  type StepName,
  siteTools,
  status,
  TIME_FORMS,
} from './tools/site-tools.ts';
export type { Tool, ToolDefinition } from './tools/tool.ts';
