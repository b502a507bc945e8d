import { cleanJson, cleanLines } from '@heliograph/contracts';
import { AppError, findJsonFault, ValidationError } from '@heliograph/kit';
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server';
import type { TObject, TSchema } from 'typebox';
import { type ArgumentCheck, argumentCheck } from './arguments.ts';
import type { Tool } from './tools/tool.ts';

/** The keywords of schemas of arguments that matter here; schemas name a single type. */
interface Described {
  readonly type?: string;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

/** Longest text that is read as JSON, in characters: far more than any argument has. */
const MAX_JSON_LENGTH = 4_000;

const NUMBER = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,10})?$/;

/**
 * Arguments as their schema has them: models and the programs around them send text in place of numbers, switches and
 * lists, a text in place of a list with it alone, and null, its name or an empty text for what they leave out. Nothing else
 * is guessed.
 */
export function lenientArguments(input: TObject, given: unknown): unknown {
  return asSchema(input, given);
}

function asSchema(schema: TSchema, given: unknown): unknown {
  const { type, items } = schema as Described;
  switch (type) {
    case 'number':
    case 'integer':
      return typeof given === 'string' && NUMBER.test(given) ? Number(given) : given;
    case 'boolean':
      return given === 'true' || given === 'false' ? given === 'true' : given;
    case 'array': {
      const list = asList(given, items);
      return Array.isArray(list) && items !== undefined ? list.map((item) => asSchema(items, item)) : list;
    }
    case 'object':
      return asObject(schema as Described, parsedText(given, isObject));
    default:
      return given;
  }
}

function asList(given: unknown, items: TSchema | undefined): unknown {
  const list = parsedText(given, Array.isArray);
  const isLoneText = typeof list === 'string' && (items as Described | undefined)?.type === 'string';
  return isLoneText ? [list] : list;
}

function asObject({ properties = {}, required = [] }: Described, given: unknown): unknown {
  if (!isObject(given)) return given;
  const fields = Object.entries(given)
    .filter(
      ([name, value]) => !isNothing(value) || required.includes(name) || !Object.hasOwn(properties, name),
    )
    .map(([name, value]): [string, unknown] => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, schema === undefined ? value : asSchema(schema, value)];
    });
  return Object.fromEntries(fields);
}

/** A value that stands for none, also alone in a list. */
function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 1 && !Array.isArray(value[0]) && isNothing(value[0]);
  return value === null || value === '' || value === 'null';
}

/** The content of a text of JSON that is of the kind that is due; anything else as it was given. */
function parsedText(given: unknown, isOfKind: (value: unknown) => boolean): unknown {
  if (typeof given !== 'string' || given.length > MAX_JSON_LENGTH || !/^\s*[[{]/.test(given)) return given;
  if (findJsonFault(given) !== undefined) return given;
  try {
    const value: unknown = JSON.parse(given);
    return isOfKind(value) ? value : given;
  } catch {
    return given;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
