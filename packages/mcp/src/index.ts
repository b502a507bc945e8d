export type { Tool, ToolDefinition } from './tool.ts';
