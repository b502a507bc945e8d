import { hasEnded } from '@heliograph/dev/process-table';
import { until } from './probe.ts';

/** A part whose process is about to end, and whose supervisor will start another one. */
export interface Successor {
  /** Resolves once the process is gone. @throws Error when it does not end in time */
  ended(timeoutMs: number): Promise<void>;
  /** Resolves once the process after it listens. */
  listening(): Promise<void>;
}

/** To be called while the process still runs. */
export function successorOf(part: {
  readonly name: string;
  readonly pid: number | undefined;
  ready(): Promise<unknown>;
}): Successor {
  const { name, pid = 0 } = part;
  return {
    async ended(timeoutMs) {
      if (!(await hasEnded(pid, timeoutMs))) throw new Error(`the ${name} does not end`);
    },
    async listening() {
      // The system knows of the end before the supervisor does, which till then has the old one's word.
      await until(`the ${name} to be started again`, async () => part.pid !== pid);
      await part.ready();
    },
  };
}
