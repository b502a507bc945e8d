import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import type { TestCloud } from '../test-cloud.ts';

/** A request as JSON-RPC has it. */
export const rpc = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });

/** A tool as it is listed. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
}

export interface ToolAnswer {
  readonly error?: { readonly code: number };
  readonly result: {
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent: Record<string, unknown>;
  };
}

/** A simple client of the MCP server: JSON over HTTP, and no handshake. */
export class TestAgent {
  readonly #cloud: TestCloud;
  readonly #token: string;

  constructor(cloud: TestCloud, token: string) {
    this.#cloud = cloud;
    this.#token = token;
  }

  async list(): Promise<ListedTool[]> {
    const call = { token: this.#token, body: rpc('tools/list') };
    const { body } = await this.#cloud.call<{ result: { tools: ListedTool[] } }>('POST /mcp', call);
    return body.result.tools;
  }

  async call(name: string, given: object = {}): Promise<ToolAnswer> {
    const call = { token: this.#token, body: rpc('tools/call', { name, arguments: given }) };
    return (await this.#cloud.call<ToolAnswer>('POST /mcp', call)).body;
  }

  /** Calls a tool and validates its answer against the schema it declares. */
  async output(name: string, given: object = {}): Promise<Record<string, unknown>> {
    const { result } = await this.call(name, given);
    expect(result.isError, result.content[0]?.text).toBeUndefined();
    const { outputSchema = {} } = (await this.list()).find((tool) => tool.name === name) ?? {};
    expect([...Compile(outputSchema).Errors(result.structuredContent)]).toEqual([]);
    return result.structuredContent;
  }

  /** The words in which a tool refuses. */
  async refusal(name: string, given: object = {}): Promise<string | undefined> {
    const { result } = await this.call(name, given);
    expect(result.isError).toBe(true);
    return result.content[0]?.text;
  }
}
