import type { Static, TObject } from 'typebox';

/** The definition of a tool that agents see: enough to choose it and to call it. */
export interface ToolDefinition<Input extends TObject = TObject, Output extends TObject = TObject> {
  /** As it is called, such as `get_metrics`. */
  readonly name: string;
  /** For people who watch the agent. */
  readonly title: string;
  /** The answer of the tool and when to use it, with units, understandable without another document. */
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
