import { cleanJson, cleanLines } from '@heliograph/contracts';
import { AppError, ValidationError } from '@heliograph/kit';
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server';
import { type ArgumentCheck, argumentCheck } from './arguments.ts';
import { lenientArguments } from './lenient-arguments.ts';
import type { Tool } from './tools/tool.ts';

/** Receives failures that are hidden from callers. */
export type FailureReport = (error: unknown, toolName: string) => void;

interface Prepared<Context> {
  readonly tool: Tool<Context>;
  readonly listed: ListedTool;
  readonly check: ArgumentCheck;
}

/** The tools of a server as the protocol has them: what is listed, and calls of them. */
export class ToolCalls<Context> {
  readonly #tools: ReadonlyMap<string, Prepared<Context>>;
  readonly #report: FailureReport;

  constructor(tools: readonly Tool<Context>[], report: FailureReport) {
    this.#tools = new Map(tools.map((tool) => [tool.name, prepare(tool)]));
    this.#report = report;
  }

  /** The tools that a caller may use. */
  list(context: Context): ListedTool[] {
    const prepared = [...this.#tools.values()];
    return prepared.filter(({ tool }) => tool.isFor(context)).map(({ listed }) => listed);
  }

  /**
   * Failures and wrong arguments are results too, which agents read and act on.
   *
   * @returns undefined when there is no such tool for the caller
   */
  async call(name: string, given: unknown, context: Context): Promise<CallToolResult | undefined> {
    const prepared = this.#tools.get(name);
    if (prepared === undefined || !prepared.tool.isFor(context)) return undefined;
    const input = lenientArguments(prepared.tool.input, given);
    const message = prepared.check(input);
    if (message !== undefined) return failure(message);
    try {
      return success(await prepared.tool.run(input as never, context));
    } catch (error) {
      if (error instanceof AppError && error.expose) return failure(messageOf(error));
      this.#report(error, name);
      return failure('Internal error: the tool failed. It may work when it is called again.');
    }
  }
}

function prepare<Context>(tool: Tool<Context>): Prepared<Context> {
  const { name, title, description, input, output } = tool;
  const listed: ListedTool = {
    name,
    title,
    description,
    // Drops the symbols that TypeBox adds to schemas.
    inputSchema: plain(input) as ListedTool['inputSchema'],
    outputSchema: plain(output) as ListedTool['outputSchema'],
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
  return { tool, listed, check: argumentCheck(input) };
}

function plain(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema));
}

/**
 * The text repeats the structure, for clients that read text only. Text of people and devices is quoted, and
 * has no invisible characters.
 */
function success(output: object): CallToolResult {
  const text = cleanJson(output);
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  };
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text: cleanLines(text) }], isError: true };
}

function messageOf(error: AppError): string {
  if (!(error instanceof ValidationError)) return error.message;
  return Object.entries(error.errors)
    .map(([field, messages]) => `${field} ${messages.join(', ')}`)
    .join('; ');
}
