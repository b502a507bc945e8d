import type { ToolRequest, ToolResponse } from './json-rpc.ts';
import type { AllowedOrigin } from './reject-invalid-request.ts';
import { type FailureReport, ToolCalls } from './tool-calls.ts';
import type { Tool } from './tools/tool.ts';

export interface ToolServerOptions<Context> {
  readonly name: string;
  readonly version: string;
  /** Introduces the server to agents before they see its tools. */
  readonly instructions: string;
  readonly tools: readonly Tool<Context>[];
  readonly onFailure: FailureReport;
  /**
   * Which pages may call, by their Origin header: where being on the same network is enough to be served, a page
   * must not get there under another name (DNS rebinding). Any page, where it is left out.
   */
  readonly allowedOrigin?: AllowedOrigin;
}

export interface ToolServer<Context> {
  /** Answers one HTTP request; who asks was found out before. */
  handle(request: ToolRequest, context: Context): Promise<ToolResponse>;
  /** Whether there is a tool that the caller may use. */
  hasToolsFor(context: Context): boolean;
}

/** Serves tools over the Model Context Protocol, whose SDK is loaded at the first request: many servers get none. */
export function createToolServer<Context>(options: ToolServerOptions<Context>): ToolServer<Context> {
  const calls = new ToolCalls(options.tools, options.onFailure);
  const load = async () => {
    const { createProtocolServer } = await import('./protocol-server.ts');
    return createProtocolServer(calls, options);
  };
  let loading: ReturnType<typeof load> | undefined;
  return {
    hasToolsFor: (context) => calls.list(context).length > 0,
    async handle(request, context) {
      loading ??= load();
      const server = await loading;
      return server.handle(request, context);
    },
  };
}
