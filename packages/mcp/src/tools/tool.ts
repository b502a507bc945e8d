import type { Static, TObject } from 'typebox';

/** What agents are told of a tool: enough to choose it and to call it, whoever runs it. */
export interface ToolDefinition<Input extends TObject = TObject, Output extends TObject = TObject> {
  /** As it is called, such as `get_metrics`. */
  readonly name: string;
  /** For people who watch the agent. */
  readonly title: string;
  /** What it answers and when to use it, in units and terms that need no other document. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
}

/**
 * A tool that reads and changes nothing. `Context` is who asks, as the server that has the tool knows them.
 */
export interface Tool<Context, Input extends TObject = TObject, Output extends TObject = TObject>
  extends ToolDefinition<Input, Output> {
  /** Whether these callers may use it at all; to others it does not exist. */
  readonly isFor: (context: Context) => boolean;
  /**
   * @param input valid by the schema
   * @throws AppError with a message that an agent can act on
   */
  run(input: Static<Input>, context: Context): Promise<Static<Output>>;
}
