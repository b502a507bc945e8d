export {
  PARSE_ERROR,
  protocolError,
  type ToolRequest,
  type ToolResponse,
} from './json-rpc.ts';
export type { AllowedOrigin } from './refusals.ts';
export {
  getHistory,
  getMetrics,
  IDLE_BELOW_W,
  MOST_POINTS,
  MOST_STATES,
  MOST_TOPICS_OF_A_PROBLEM,
  MOST_UNITS,
  STEP_NAMES,
  type StepName,
  siteTools,
  status,
  TIME_FORMS,
  USUAL_METRICS,
} from './site-tools/index.ts';
export type { Tool, ToolDefinition } from './tool.ts';
export type { FailureReport } from './tool-calls.ts';
export { createToolServer, type ToolServer, type ToolServerOptions } from './tool-server.ts';
