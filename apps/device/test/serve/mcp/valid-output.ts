import type { Tool } from '@heliograph/mcp';
import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import type { Caller } from '../../../src/access/caller.ts';

/** A caller that may only read. */
export const READER: Caller = {
  name: 'user 1',
  via: 'lan',
  address: '192.168.1.2',
  mayWrite: false,
  mayConfigure: false,
  recovery: null,
  token: null,
  isStillAuthorized: () => true,
};

/** Runs a tool as its server does, and expects what it promises: its arguments and its answer fit their schemas. */
export function caller<Input extends TObject, Output extends TObject>(
  tool: Tool<Caller, Input, Output>,
  by: Caller = READER,
) {
  const input = Compile(tool.input);
  const output = Compile(tool.output);
  return async (given: Static<Input>): Promise<Static<Output>> => {
    expect(input.Errors(given)).toEqual([]);
    const answer = await tool.run(given, by);
    expect(output.Errors(answer)).toEqual([]);
    return answer;
  };
}
