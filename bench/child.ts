import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts a program of a benchmark in a process of its own. @returns it with the first message it sends */
export async function startChild<Message>(
  program: string,
  options: {
    args?: readonly string[];
    order?: object;
    env?: Readonly<Record<string, string>>;
    nodeFlags?: readonly string[];
  } = {},
): Promise<{ process: ChildProcess; message: Message }> {
  const child = fork(program, options.args ?? [], {
    execArgv: [...(options.nodeFlags ?? [])],
    env: { ...process.env, ...options.env },
  });
  if (options.order !== undefined) child.send(options.order);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code} before it said anything`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  return { process: child, message };
}
